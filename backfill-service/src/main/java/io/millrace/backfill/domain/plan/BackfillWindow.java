package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.CheckpointPreemptionPolicy;
import io.millrace.backfill.domain.Reservation;
import io.millrace.backfill.domain.Run;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.WaitingJob;
import io.millrace.backfill.domain.capacity.FreeCapacity;
import java.util.List;
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
    static BackfillWindow of(final Pass pass, final WaitingJob head) {
        return Objects.requireNonNull(search(pass, head, true), "the head job fits when all running jobs have ended");
    }

    /**
     * The window if the checkpoints that are being written suffice for the head job. Other jobs that exceed a shrunk estimate do not count as
     * ended: their capacity must not be given to backfilled jobs. Null if the checkpoints do not suffice.
     *
     * @param head for which other jobs are preempted
     */
    static @Nullable BackfillWindow afterCheckpoints(
            final Pass pass, final CheckpointPreemptionPolicy policy, final WaitingJob head) {
        final BackfillWindow window = search(pass, head, false);
        return window == null || window.shadow_s() > pass.now_s() + policy.checkpoint_s() ? null : window;
    }

    private static @Nullable BackfillWindow search(
            final Pass pass, final WaitingJob head, final boolean preemptibleJobsEnd) {
        final List<Run> running = pass.running();
        final FreeCapacity free = pass.free().copy();
        for (int i = 0; i < running.size(); i++) {
            final Run run = running.get(i);
            if (preemptibleJobsEnd || !run.preemptible() || run.limitEnd_s() <= run.end_s()) {
                free.release(run);
            }
            final long at_s = Math.max(run.end_s(), pass.now_s());
            final boolean moreEndThen =
                    i + 1 < running.size() && Math.max(running.get(i + 1).end_s(), pass.now_s()) == at_s;
            if (!moreEndThen && head.cores() <= free.idle() && free.fits(head.job())) {
                free.take(head.job());
                return new BackfillWindow(at_s, free);
            }
        }
        return null;
    }

    /** Free capacity once all running jobs have ended. */
    static FreeCapacity whenAllHaveEnded(final Pass pass) {
        final FreeCapacity free = pass.free().copy();
        pass.running().forEach(free::release);
        return free;
    }

    Reservation reservation(final WaitingJob head) {
        return new Reservation(head.job(), new ShadowTime(shadow_s), extra.idle());
    }
}
