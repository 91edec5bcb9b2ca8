package io.millrace.backfill.domain.forecast;

import io.millrace.backfill.domain.capacity.FreeCapacity;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.Reservation;
import io.millrace.backfill.domain.job.RunningJob;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.backfill.domain.job.Start;
import io.millrace.backfill.domain.job.WaitingQueue;
import io.millrace.backfill.domain.planner.Schedule;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the start of every waiting job, of an array the start of its next task. The projection starts the jobs and all waiting tasks in
 * order, none before the job ahead of it, and lets each run for its whole limit; cores are counted regardless of their nodes. One projection takes O((R + Q) log (R + Q)) steps.
 *
 * <p>Copies of the projection are saved along the queue: if only the queue changes, the estimate continues from the last copy before the
 * change. For Q waiting jobs the copies take the memory of about 4 Q releases.
 */
public final class StartEstimates {

    /** Receives the estimate of every job from the first change on. */
    public interface Listener {
        /** @param start_s {@link ShadowTime#NEVER} if it is not foreseeable */
        void estimated(PlannedJob job, int place, long start_s);
    }

    /** The projection after a job. */
    private record SavedProjection(PlannedJob job, int place, QueueProjection projection) {}

    private static final int STRIDE = 16;

    private final List<SavedProjection> saved = new ArrayList<>();
    private final Map<PartitionName, Integer> partitions = new HashMap<>();
    private @Nullable QueueProjection start;
    private @Nullable Reservation reservation;
    private Map<JobKey, JobKey> displacedBy = Map.of();
    /** Before this time, no estimate changes without an event. */
    private long validBefore_s = Long.MIN_VALUE;

    private @Nullable PartitionName lastName;
    private int lastNumber;

    /** @param displacedBy the displacing job by job that lost its reservation to guaranteed work */
    public static List<JobForecast> of(
            final QueueSnapshot snapshot,
            final Schedule schedule,
            final Map<JobKey, JobKey> displacedBy,
            final long now_s) {
        final FreeCapacity free = FreeCapacity.of(snapshot);
        schedule.starts().forEach(start -> free.take(start.job()));
        final int coresUp = snapshot.idleCores()
                + snapshot.running().stream().mapToInt(RunningJob::cores).sum();
        final PassSnapshot pass = new PassSnapshot(free, coresUp, schedule.reservation(), displacedBy, now_s);
        final WaitingQueue queue = new WaitingQueue((one, other) -> 0);
        queue.addAll(
                schedule.waiting().stream().map(job -> new PlannedJob(job, 0)).toList(), job -> 0);
        final List<JobForecast> all = new ArrayList<>();
        final StartEstimates estimates = new StartEstimates();
        estimates.restart(pass, snapshot.running(), schedule.starts());
        estimates.project(pass, queue, (job, place, start_s) -> all.add(pass.forecast(job, place, start_s)));
        return all;
    }

    /** Discards everything; {@link #restart} must come next. */
    public void forget() {
        start = null;
    }

    /** Whether estimates before the first change of the queue are still valid. */
    public boolean isValidFor(final PassSnapshot pass) {
        return start != null
                && pass.now_s() < validBefore_s
                && Objects.equals(reservation, pass.reservation())
                && displacedBy.equals(pass.displacedBy());
    }

    /** Begins a new projection with the running jobs and those that have just been started. */
    public void restart(final PassSnapshot pass, final Collection<RunningJob> running, final List<Start> starts) {
        partitions.clear();
        lastName = null;
        final int[] free = new int[pass.freeCapacity().partitions().size()];
        pass.freeCapacity().partitions().forEach((name, cores) -> {
            free[partitions.size()] = cores;
            partitions.put(name, partitions.size());
        });
        final QueueProjection projection =
                new QueueProjection(pass.now_s(), pass.freeCapacity().idle(), free);
        long firstEnd_s = ShadowTime.NEVER;
        for (final RunningJob job : running) {
            firstEnd_s = Math.min(firstEnd_s, job.end_s());
            projection.release(job.endSeenFrom(pass.now_s()), job.cores(), number(job.partition()));
        }
        for (final Start started : starts) {
            final QueuedJob job = started.job();
            projection.release(job.endIfStartedAt(pass.now_s()), job.cores(), number(job.partition()));
        }
        start = projection;
        saved.clear();
        reservation = pass.reservation();
        displacedBy = Map.copyOf(pass.displacedBy());
        validBefore_s = firstEnd_s - RunningJob.OVERDUE_S;
    }

    /** Estimates all jobs behind the last saved projection. */
    public void project(final PassSnapshot pass, final WaitingQueue queue, final Listener listener) {
        reservation = pass.reservation();
        final SavedProjection from = saved.isEmpty() ? null : saved.getLast();
        final QueueProjection projection = from == null ? start().copy() : from.projection.copy();
        int place = from == null ? 0 : from.place;
        int left = stride(projection);
        for (int i = queue.next(from == null ? 0 : queue.indexOf(from.job) + 1);
                i < queue.end();
                i = queue.next(i + 1)) {
            final PlannedJob job = queue.at(i);
            final long at_s = estimate_s(projection, job);
            validBefore_s = Math.min(validBefore_s, at_s);
            listener.estimated(job, ++place, at_s);
            if (--left == 0) {
                saved.add(new SavedProjection(job, place, projection.copy()));
                left = stride(projection);
            }
        }
    }

    /** Discards the estimates from a job on that has arrived or left. */
    public void discardFrom(final PlannedJob job, final WaitingQueue queue) {
        while (!saved.isEmpty() && !queue.isBefore(saved.getLast().job, job)) {
            saved.removeLast();
        }
    }

    private QueueProjection start() {
        if (start == null) {
            throw new IllegalStateException("call restart() before project()");
        }
        return start;
    }

    /** The number of jobs between two saved projections; a copy costs as much as its releases. */
    private static int stride(final QueueProjection projection) {
        return Math.max(STRIDE, projection.releases() / 4);
    }

    private long estimate_s(final QueueProjection projection, final PlannedJob planned) {
        final QueuedJob job = planned.job();
        final Reservation own = reservation != null && reservation.head() == job ? reservation : null;
        final long notBefore_s = own == null || !own.shadow().isForeseeable()
                ? Long.MIN_VALUE
                : own.shadow().second();
        final long at_s = projection.start(
                planned.cores(), job.waiting(), number(job.partition()), notBefore_s, job.walltime_s());
        if (planned.holdsReservation()) {
            return planned.reserved_s();
        }
        return own == null || at_s >= ShadowTime.NEVER ? at_s : own.shadow().second();
    }

    private int number(final PartitionName name) {
        if (name != lastName) {
            lastName = name;
            lastNumber = partitions.getOrDefault(name, -1);
        }
        return lastNumber;
    }
}
