package io.millrace.migration.domain.view;

import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * The free cores of a cluster over time, to estimate when one more job would start there. Running jobs use their whole walltime. Waiting
 * jobs start when the plan of the cluster predicts it; jobs without a prediction start in the order of the queue.
 */
public final class StartForecast {

    /** A job that has used its walltime is expected to end this much later. */
    private static final Duration OVERDUE = Duration.ofMinutes(1);

    private static final Duration UNLIMITED = Duration.ofDays(365);

    private record Release(Instant at, int cores) {}

    private final Instant now;
    private final Map<Instant, Integer> changes = new TreeMap<>();
    private final PriorityQueue<Release> releases = new PriorityQueue<>(Comparator.comparing(Release::at));
    /** The cursor of the jobs without a prediction, and the cores free there. */
    private Instant cursor;

    private int freeAtCursor;

    private StartForecast(final Instant now, final int idle) {
        this.now = now;
        this.cursor = now;
        this.freeAtCursor = idle;
        changes.put(now, idle);
    }

    /** @param idle cores that are idle and not promised */
    public static StartForecast of(final TargetCluster cluster, final int idle, final Instant now) {
        final StartForecast forecast = new StartForecast(now, idle);
        cluster.view().jobs().forEach(job -> startedAt(job).ifPresent(at -> forecast.runs(job, at)));
        for (final JobObserved job : cluster.view().jobs()) {
            if (job.isStartable()) {
                cluster.predictedStart(job.job())
                        .ifPresentOrElse(at -> forecast.startsAt(job, at), () -> forecast.startsInOrder(job));
            }
        }
        return forecast;
    }

    private static Optional<Instant> startedAt(final JobObserved job) {
        return job.state() instanceof JobState.Running running ? Optional.of(running.startedAt()) : Optional.empty();
    }

    private void runs(final JobObserved job, final Instant startedAt) {
        final Instant end = startedAt.plus(walltime(job));
        final Instant expected = end.isAfter(now) ? end : now.plus(OVERDUE);
        changes.merge(expected, cores(job), Integer::sum);
        releases.add(new Release(expected, cores(job)));
    }

    private void startsAt(final JobObserved job, final Instant predicted) {
        final Instant start = predicted.isAfter(now) ? predicted : now;
        changes.merge(start, -cores(job), Integer::sum);
        changes.merge(start.plus(walltime(job)), cores(job), Integer::sum);
    }

    private void startsInOrder(final JobObserved job) {
        while (freeAtCursor < cores(job) && !releases.isEmpty()) {
            final Release next = releases.poll();
            freeAtCursor += next.cores();
            cursor = next.at().isAfter(cursor) ? next.at() : cursor;
        }
        if (freeAtCursor >= cores(job)) {
            freeAtCursor -= cores(job);
            releases.add(new Release(cursor.plus(walltime(job)), cores(job)));
            startsAt(job, cursor);
        }
    }

    private static int cores(final JobObserved job) {
        return job.tasks() * job.resources().cores();
    }

    private static Duration walltime(final JobObserved job) {
        return job.walltime() == null ? UNLIMITED : job.walltime();
    }

    /** When so many cores are free for so long; empty if the cluster will not have them. */
    public Optional<Instant> start(final int cores, final Duration length) {
        Instant from = null;
        int free = 0;
        for (final Map.Entry<Instant, Integer> change : changes.entrySet()) {
            if (from != null && !change.getKey().isBefore(from.plus(length))) {
                return Optional.of(from);
            }
            free += change.getValue();
            if (free < cores) {
                from = null;
            } else if (from == null) {
                from = change.getKey();
            }
        }
        return Optional.ofNullable(from);
    }
}
