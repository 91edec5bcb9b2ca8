package io.millrace.agent.lsf;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How often each job was put back. {@code bjobs} does not tell: so what a job was when it was seen last shows whether its history must be
 * asked for, which is seldom, and one question for all of them.
 */
final class RestartCounts {

    /** A job that came in so shortly before the last look cannot have been put back unseen. */
    private static final Duration FRESH = Duration.ofSeconds(20);

    private record LastObserved(int restarts, @Nullable Instant started) {}

    private final ClusterId cluster;
    private final Map<JobKey, LastObserved> seen = new HashMap<>();
    private @Nullable Instant lastLook;

    RestartCounts(final ClusterId cluster) {
        this.cluster = cluster;
    }

    /**
     * Takes note of a look.
     *
     * @param jobs those that are in the queue
     * @param listed all that LSF lists: one that is just being put back looks like an ended one for a moment
     * @param history asks for the restarts of these jobs; what it does not know is counted from what was seen
     */
    synchronized void update(
            final Collection<ListedJob> jobs,
            final Collection<ListedJob> listed,
            final Instant now,
            final Function<List<ListedJob>, Map<JobKey, Integer>> history) {
        final List<ListedJob> unclear = jobs.stream().filter(this::needsHistory).toList();
        final Map<JobKey, Integer> told = unclear.isEmpty() ? Map.of() : history.apply(unclear);
        for (final ListedJob job : jobs) {
            final JobKey key = job.key(cluster);
            final LastObserved before = seen.get(key);
            final int counted = before == null ? 0 : before.restarts() + (needsHistory(job) ? 1 : 0);
            seen.put(key, new LastObserved(told.getOrDefault(key, counted), currentStart(job)));
        }
        seen.keySet()
                .retainAll(new HashSet<>(
                        listed.stream().map(job -> job.key(cluster)).toList()));
        lastLook = now;
    }

    synchronized int of(final JobKey job) {
        final LastObserved known = seen.get(job);
        return known == null ? 0 : known.restarts();
    }

    private boolean needsHistory(final ListedJob job) {
        final LastObserved before = seen.get(job.key(cluster));
        if (before == null && seen.containsKey(job.keyOfArray(cluster))) {
            return false; // it waited with the other tasks until the last look
        }
        if (before == null) {
            return lastLook == null || job.submitted().isBefore(lastLook.minus(FRESH));
        }
        return before.started() != null && !before.started().equals(currentStart(job));
    }

    /** When its present run began; null while it waits. */
    private static @Nullable Instant currentStart(final ListedJob job) {
        return job.isWaiting() ? null : job.started();
    }
}
