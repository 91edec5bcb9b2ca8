package io.millrace.transfer.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.transfer.Place;
import io.millrace.model.transfer.StagedCopy;
import io.millrace.model.transfer.StagedCopyState.Kept;
import io.millrace.model.transfer.StagedCopyState.Removed;
import io.millrace.model.transfer.StagedCopyState.Removing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The copies of job directories on clusters other than their own, from the end of the job until the removal of the copy. */
public final class StagedCopies {

    private static final Comparator<StagedCopy> BY_REMOVAL =
            Comparator.comparing(StagedCopies::removeAt).thenComparing(StagedCopy::key);

    private final TransferPolicy policy;
    private final Map<ClusterId, SortedSet<StagedCopy>> kept = new TreeMap<>();
    private final Map<String, StagedCopy> removing = new TreeMap<>();
    private final Map<String, StagedCopy> recorded = new HashMap<>();
    private final Set<String> removed = new HashSet<>();
    private final List<StagedCopy> ended = new ArrayList<>();

    public StagedCopies(final TransferPolicy policy) {
        this.policy = policy;
    }

    /** Applies a change of a job. The copies that are not needed any more are returned by {@link #takeNew} unless the log already has them. */
    public void changed(final GlobalJob job) {
        if (job.state() instanceof GlobalJobState.Waiting) {
            incomplete(job).ifPresent(ended::add);
        } else if (job.state().isFinal()) {
            ended(job);
        }
    }

    /** What has arrived of files that found no room is removed at once. */
    private static Optional<StagedCopy> incomplete(final GlobalJob job) {
        final Attempt last = job.attempt();
        return last == null || last.end() == null || !last.end().cause().isNoRoom()
                ? Optional.empty()
                : Optional.of(copy(job, last, job.since(), "its files found no room there"));
    }

    private static StagedCopy copy(
            final GlobalJob job, final Attempt attempt, final Instant removeAt, final String reason) {
        return new StagedCopy(
                job.id().attempt(attempt.number()),
                job.submission().owner(),
                new Place(attempt.cluster(), null, attempt.directory()),
                new Kept(removeAt, reason, 0),
                job.since(),
                job.submission().signature());
    }

    private void ended(final GlobalJob job) {
        final boolean resultsAreHome = job.state() instanceof GlobalJobState.End;
        final Duration retention = resultsAreHome ? policy.keepAfterSuccess() : policy.keepAfterFailure();
        final String reason = resultsAreHome
                ? "the results are in the directory of the job"
                : "the job was " + job.state().word().toLowerCase(Locale.ROOT) + "; copy the files that you need";
        for (final Attempt attempt : job.attempts()) {
            if (!attempt.cluster().equals(job.submission().source())) {
                ended.add(copy(job, attempt, job.since().plus(retention), reason));
            }
        }
    }

    /** Applies a state of the log during replay. */
    public void recorded(final StagedCopy copy) {
        forget(recorded.get(copy.key()));
        put(copy);
    }

    /** The copies of jobs that have ended since the last call. They are not kept here until they are {@link #put}. */
    public List<StagedCopy> takeNew() {
        final List<StagedCopy> found = ended.stream()
                .filter(copy -> !recorded.containsKey(copy.key()) && !removed.contains(copy.key()))
                .toList();
        ended.clear();
        removed.clear(); // each end is on the log once
        return found;
    }

    public void put(final StagedCopy copy) {
        forget(recorded.get(copy.key()));
        switch (copy.state()) {
            case Kept k -> {
                recorded.put(copy.key(), copy);
                kept.computeIfAbsent(copy.place().cluster(), c -> new TreeSet<>(BY_REMOVAL))
                        .add(copy);
            }
            case Removing r -> {
                recorded.put(copy.key(), copy);
                removing.put(copy.key(), copy);
            }
            case Removed r -> removed.add(copy.key());
        }
    }

    private void forget(final @Nullable StagedCopy earlier) {
        if (earlier == null) {
            return;
        }
        recorded.remove(earlier.key());
        removing.remove(earlier.key());
        final SortedSet<StagedCopy> there = kept.get(earlier.place().cluster());
        if (there != null && earlier.state() instanceof Kept) {
            there.remove(earlier);
        }
    }

    public Collection<StagedCopy> removing() {
        return List.copyOf(removing.values());
    }

    public Set<ClusterId> clusters() {
        return kept.keySet();
    }

    /** The copies on a cluster whose time has come, as many as may be removed at a time. */
    public List<StagedCopy> due(final ClusterId cluster, final Instant now) {
        final long busy = removing.values().stream()
                .filter(copy -> copy.place().cluster().equals(cluster))
                .count();
        return kept.getOrDefault(cluster, new TreeSet<>(BY_REMOVAL)).stream()
                .takeWhile(copy -> !removeAt(copy).isAfter(now))
                .limit(Math.max(0, TransferPolicy.REMOVALS_PER_CLUSTER - busy))
                .toList();
    }

    /** When the next copy on a cluster is due. */
    public Optional<Instant> nextDue(final ClusterId cluster) {
        return kept.getOrDefault(cluster, new TreeSet<>(BY_REMOVAL)).stream()
                .findFirst()
                .map(StagedCopies::removeAt);
    }

    private static Instant removeAt(final StagedCopy copy) {
        return copy.state() instanceof Kept state ? state.removeAt() : copy.since();
    }
}
