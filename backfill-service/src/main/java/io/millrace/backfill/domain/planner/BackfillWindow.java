package io.millrace.backfill.domain.planner;

import io.millrace.backfill.domain.capacity.FreeCapacity;
import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.Reservation;
import io.millrace.backfill.domain.job.RunningJobsByEnd;
import io.millrace.backfill.domain.job.ShadowTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The time until the head job can start, and the capacity that it leaves then.
 *
 * @param shadow_s the shadow time, not before now; {@link ShadowTime#NEVER} if the head job waits for jobs without a limit
 * @param extra capacity at the shadow time once the head job has started
 */
record BackfillWindow(long shadow_s, FreeCapacity extra) {

    /** A job that exceeds a shrunk estimate counts as ended, since it can be preempted for the head job. */
    static BackfillWindow of(final PlannerState state, final PlannedJob head, final long now_s) {
        return Objects.requireNonNull(
                search(state, head, now_s, true), "the head job fits when all running jobs have ended");
    }

    /**
     * The window if the checkpoints that are being written suffice for the head job. Other jobs that exceed a shrunk estimate do not count as
     * ended: their capacity must not be given to backfilled jobs. Null if the checkpoints do not suffice.
     */
    static @Nullable BackfillWindow afterCheckpoints(
            final PlannerState state,
            final CheckpointPreemptionPolicy policy,
            final PlannedJob head,
            final long now_s) {
        if (!head.isBeneficiary()) {
            return null;
        }
        final BackfillWindow window = search(state, head, now_s, false);
        return window == null || window.shadow_s() > now_s + policy.checkpoint_s() ? null : window;
    }

    private static @Nullable BackfillWindow search(
            final PlannerState state, final PlannedJob head, final long now_s, final boolean preemptibleJobsEnd) {
        final RunningJobsByEnd running = state.running();
        final FreeCapacity free = state.free().copy();
        for (int i = running.first(); i < running.end(); i++) {
            final PlannedJob job = running.at(i);
            if (preemptibleJobsEnd || !job.isPreemptible() || job.limitEnd_s() <= running.end_s(i)) {
                release(free, running, i);
            }
            final long at_s = Math.max(running.end_s(i), now_s);
            final boolean moreEndThen = i + 1 < running.end() && Math.max(running.end_s(i + 1), now_s) == at_s;
            if (!moreEndThen && head.cores() <= free.idle() && free.fits(head.job())) {
                free.take(head.job());
                return new BackfillWindow(at_s, free);
            }
        }
        return null;
    }

    /** Free capacity once all running jobs have ended. */
    static FreeCapacity whenAllHaveEnded(final PlannerState state) {
        final FreeCapacity free = state.free().copy();
        final RunningJobsByEnd running = state.running();
        for (int i = running.first(); i < running.end(); i++) {
            release(free, running, i);
        }
        return free;
    }

    private static void release(final FreeCapacity free, final RunningJobsByEnd running, final int index) {
        if (free.countsOnlyCores()) {
            free.addCores(running.cores(index));
        } else {
            free.release(running.at(index));
        }
    }

    Reservation reservation(final PlannedJob head) {
        return new Reservation(head.job(), new ShadowTime(shadow_s), extra.idle());
    }
}
