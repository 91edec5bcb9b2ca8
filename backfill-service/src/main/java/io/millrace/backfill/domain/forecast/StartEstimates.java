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
 * Tells every waiting job its place, a predicted start and why it waits. The prediction lets the queue run dry in order, each job
 * not before the one ahead of it and each for its whole limit, cores counted wherever they lie: one sweep, O((R + Q) log (R + Q)).
 *
 * <p>It keeps landmarks on its way through the queue: as long as nothing but the queue changes, it goes on from the last one before the change. For Q
 * waiting jobs they take the room of about four releases each.
 */
public final class StartEstimates {

    /** Hears of every job that was looked at: all from the first change on. */
    public interface Listener {
        /** @param start_s {@link ShadowTime#NEVER} if it cannot be foreseen */
        void foreseen(PlannedJob job, int place, long start_s);
    }

    /** Where the sweep was when it had passed a job. */
    private record SavedProjection(PlannedJob job, int place, QueueProjection sweep) {}

    private static final int STRIDE = 16;

    private final List<SavedProjection> landmarks = new ArrayList<>();
    private final Map<PartitionName, Integer> partitions = new HashMap<>();
    private @Nullable QueueProjection start;
    private @Nullable Reservation reservation;
    private Map<JobKey, JobKey> displacedBy = Map.of();
    /** As long as time has not come there, nothing has moved by itself. */
    private long holdsBefore_s = Long.MIN_VALUE;

    private @Nullable PartitionName lastName;
    private int lastNumber;

    /** @param displacedBy for jobs that lost a reservation to guaranteed work: to whose */
    public static List<JobForecast> of(
            final QueueSnapshot view, final Schedule schedule, final Map<JobKey, JobKey> displacedBy, final long now_s) {
        final FreeCapacity room = FreeCapacity.of(view);
        schedule.starts().forEach(begun -> room.take(begun.job()));
        final int coresUp = view.idleCores()
                + view.running().stream().mapToInt(RunningJob::cores).sum();
        final PassSnapshot moment = new PassSnapshot(room, coresUp, schedule.reservation(), displacedBy, now_s);
        final WaitingQueue line = new WaitingQueue((one, other) -> 0);
        line.addAll(
                schedule.waiting().stream().map(job -> new PlannedJob(job, 0)).toList(), job -> 0);
        final List<JobForecast> all = new ArrayList<>();
        final StartEstimates outlook = new StartEstimates();
        outlook.restart(moment, view.running(), schedule.starts());
        outlook.projectFrom(moment, line, (job, place, start_s) -> all.add(moment.forecast(job, place, start_s)));
        return all;
    }

    /** The next look begins at the front. */
    public void forget() {
        start = null;
    }

    /** Whether what lies before the first change still stands as it did. */
    public boolean isValidFor(final PassSnapshot moment) {
        return start != null
                && moment.now_s() < holdsBefore_s
                && Objects.equals(reservation, moment.reservation())
                && displacedBy.equals(moment.displacedBy());
    }

    /** Starts anew with what runs, and what has just been started. */
    public void restart(final PassSnapshot moment, final Collection<RunningJob> running, final List<Start> starts) {
        partitions.clear();
        lastName = null;
        final int[] free = new int[moment.freeCapacity().partitions().size()];
        moment.freeCapacity().partitions().forEach((name, cores) -> {
            free[partitions.size()] = cores;
            partitions.put(name, partitions.size());
        });
        final QueueProjection sweep = new QueueProjection(moment.now_s(), moment.freeCapacity().idle(), free);
        long soonest_s = ShadowTime.NEVER;
        for (final RunningJob job : running) {
            soonest_s = Math.min(soonest_s, job.end_s());
            sweep.release(job.endSeenFrom(moment.now_s()), job.cores(), number(job.partition()));
        }
        for (final Start begun : starts) {
            final QueuedJob job = begun.job();
            sweep.release(job.endIfStartedAt(moment.now_s()), job.cores(), number(job.partition()));
        }
        start = sweep;
        landmarks.clear();
        reservation = moment.reservation();
        displacedBy = Map.copyOf(moment.displacedBy());
        holdsBefore_s = soonest_s - RunningJob.OVERDUE_S;
    }

    /** Everybody behind the landmarks that are left. */
    public void projectFrom(final PassSnapshot moment, final WaitingQueue line, final Listener listener) {
        reservation = moment.reservation();
        final SavedProjection from = landmarks.isEmpty() ? null : landmarks.getLast();
        final QueueProjection sweep = from == null ? begun().copy() : from.sweep.copy();
        int place = from == null ? 0 : from.place;
        int left = stride(sweep);
        for (int i = line.next(from == null ? 0 : line.indexOf(from.job) + 1); i < line.end(); i = line.next(i + 1)) {
            final PlannedJob job = line.at(i);
            final long at_s = foresee(sweep, job);
            holdsBefore_s = Math.min(holdsBefore_s, at_s);
            listener.foreseen(job, ++place, at_s);
            if (--left == 0) {
                landmarks.add(new SavedProjection(job, place, sweep.copy()));
                left = stride(sweep);
            }
        }
    }

    /** Forgets what lies behind a job that came, or left. */
    public void discardFrom(final PlannedJob job, final WaitingQueue line) {
        while (!landmarks.isEmpty() && !line.isBefore(landmarks.getLast().job, job)) {
            landmarks.removeLast();
        }
    }

    private QueueProjection begun() {
        if (start == null) {
            throw new IllegalStateException("a sweep has to begin before it goes on");
        }
        return start;
    }

    /** A landmark costs as much as its releases. */
    private static int stride(final QueueProjection sweep) {
        return Math.max(STRIDE, sweep.releases() / 4);
    }

    private long foresee(final QueueProjection sweep, final PlannedJob planned) {
        final QueuedJob job = planned.job();
        final Reservation own = reservation != null && reservation.head() == job ? reservation : null;
        final long notBefore_s = own == null || !own.shadow().isForeseeable()
                ? Long.MIN_VALUE
                : own.shadow().second();
        final long at_s = sweep.start(planned.cores(), number(job.partition()), notBefore_s, job.walltime_s());
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
