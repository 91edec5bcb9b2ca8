package io.millrace.agent.lsf.observe;

import io.millrace.agent.lsf.query.ListedJob;
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
 * The number of restarts of each job. {@code bjobs} does not report it. A change since the last snapshot shows whether the history of a job
 * must be queried, which is rare and takes one query for all such jobs.
 */
public final class RestartCounts {

    /** A job submitted within this time before the last snapshot cannot have been requeued unnoticed. */
    private static final Duration FRESH = Duration.ofSeconds(20);

    private record LastObserved(int restarts, @Nullable Instant started) {}

    private final ClusterId cluster;
    private final Map<JobKey, LastObserved> lastObserved = new HashMap<>();
    private @Nullable Instant lastUpdate;

    public RestartCounts(final ClusterId cluster) {
        this.cluster = cluster;
    }

    /**
     * Updates the counts from a snapshot.
     *
     * @param jobs the jobs in the queue
     * @param listed all listed jobs, including requeued ones that look ended for a moment
     * @param history queries the restarts of jobs; a missing job is counted from the snapshots
     */
    public synchronized void update(
            final Collection<ListedJob> jobs,
            final Collection<ListedJob> listed,
            final Instant now,
            final Function<List<ListedJob>, Map<JobKey, Integer>> history) {
        final List<ListedJob> toQuery = jobs.stream().filter(this::needsHistory).toList();
        final Map<JobKey, Integer> reported = toQuery.isEmpty() ? Map.of() : history.apply(toQuery);
        for (final ListedJob job : jobs) {
            final JobKey key = job.key(cluster);
            final LastObserved before = lastObserved.get(key);
            final int counted = before == null ? 0 : before.restarts() + (needsHistory(job) ? 1 : 0);
            lastObserved.put(key, new LastObserved(reported.getOrDefault(key, counted), currentStart(job)));
        }
        lastObserved
                .keySet()
                .retainAll(new HashSet<>(
                        listed.stream().map(job -> job.key(cluster)).toList()));
        lastUpdate = now;
    }

    public synchronized int of(final JobKey job) {
        final LastObserved known = lastObserved.get(job);
        return known == null ? 0 : known.restarts();
    }

    private boolean needsHistory(final ListedJob job) {
        final LastObserved before = lastObserved.get(job.key(cluster));
        if (before == null && lastObserved.containsKey(job.keyOfArray(cluster))) {
            return false; // it was pending with the other tasks in the last snapshot
        }
        if (before == null) {
            return lastUpdate == null || job.submitted().isBefore(lastUpdate.minus(FRESH));
        }
        return before.started() != null && !before.started().equals(currentStart(job));
    }

    /** The start of the current run; null while the job is pending. */
    private static @Nullable Instant currentStart(final ListedJob job) {
        return job.isWaiting() ? null : job.started();
    }
}
