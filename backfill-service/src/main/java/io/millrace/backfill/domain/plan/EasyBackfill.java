package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.Reservation;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.Start;
import io.millrace.backfill.domain.WaitingJob;
import io.millrace.backfill.domain.capacity.FreeCapacity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * EASY backfill (Lifka 1995). Jobs start in order. The first that does not fit is the head job: it gets a reservation at the shadow time.
 * Jobs behind it start if they end before the shadow time or fit into the capacity that the head job leaves.
 *
 * <p>Without reservations this is strict order; with a preemption policy it is checkpoint backfill. A pass takes O(R + Q) steps for R
 * running and Q waiting jobs in order.
 */
final class EasyBackfill {
    private final Pass pass;
    private final PartitionChoice partitions;

    EasyBackfill(final Pass pass) {
        this.pass = pass;
        this.partitions = new PartitionChoice(pass);
    }

    Schedule schedule() {
        final int headIndex = startInOrder();
        if (headIndex >= pass.waiting().end()) {
            return pass.schedule(List.of(), ShadowTime.NEVER);
        }
        final WaitingJob head = pass.waiting().at(headIndex);
        final HeadPreemption preemption = HeadPreemption.of(pass, head);
        final Reservation reservation = preemption.window().reservation(head);
        // A preemption or a new head changes the order: then all jobs are tried.
        final boolean reordered = !pass.victims().isEmpty() || pass.keepAtHead(head);
        if (pass.policy().reservations() > 0 && pass.free().idle() > 0) {
            backfill(reordered || !pass.triesInQueueOrder() ? 0 : headIndex + 1, reservation, preemption);
        }
        return pass.schedule(List.of(reservation), preemption.replanAt_s());
    }

    /** @return the index of the head job: the first job that must wait for other jobs to end */
    private int startInOrder() {
        final WaitingQueue waiting = pass.waiting();
        @Nullable FreeCapacity whenAllHaveEnded = null;
        int i = waiting.next(0);
        while (i < waiting.end()) {
            final WaitingJob job = waiting.at(i);
            final PartitionChoice.Place place = partitions.now(job.job());
            if (place != null) {
                start(job, place, Start.inOrder(place.job(), pass.free().idle()), job.estimate_s());
                // The next task of an array is at the same place.
                i = waiting.next(i);
                continue;
            }
            whenAllHaveEnded = whenAllHaveEnded == null ? BackfillWindow.whenAllHaveEnded(pass) : whenAllHaveEnded;
            if (whenAllHaveEnded.fits(job.job())) {
                return i;
            }
            // It does not fit the cluster as it is now, so no reservation would help it.
            i = waiting.next(i + 1);
        }
        return waiting.end();
    }

    private void backfill(final int from, final Reservation reservation, final HeadPreemption preemption) {
        final WaitingQueue candidates = pass.candidates();
        final FreeCapacity free = pass.free();
        // Capacity that is left at the shadow time once the head job has started.
        final FreeCapacity extra = preemption.window().extra();
        // A job without a limit never ends in time, even if the shadow time is unknown.
        final long window_s = Math.min(reservation.shadow().second() - pass.now_s(), ShadowTime.NEVER - 1);
        int i = candidates.nextThatMayPass(from, free.idle(), window_s, extra.idle());
        while (i < candidates.end() && free.idle() > 0) {
            final WaitingJob job = candidates.at(i);
            final long length_s = pass.mayShrink() ? job.length_s() : job.estimate_s();
            final long lengthInWindow_s = preemption.isUnderWay() ? job.estimate_s() : length_s;
            final boolean starts = lengthInWindow_s <= window_s
                    ? startsBeforeShadowTime(job, lengthInWindow_s, reservation)
                    : startsBesideHead(job, length_s, reservation, extra);
            // After a start the next task of an array is at the same place.
            i = candidates.nextThatMayPass(starts ? i : i + 1, free.idle(), window_s, extra.idle());
        }
    }

    private boolean startsBeforeShadowTime(final WaitingJob job, final long length_s, final Reservation reservation) {
        final PartitionChoice.Place place = partitions.now(job.job());
        if (place != null) {
            start(job, place, new Start(place.job(), pass.free().idle(), reservation, true), length_s);
        }
        return place != null;
    }

    private boolean startsBesideHead(
            final WaitingJob job, final long length_s, final Reservation reservation, final FreeCapacity extra) {
        final PartitionChoice.Place place = partitions.beside(extra, job.job());
        if (place != null) {
            start(job, place, new Start(place.job(), pass.free().idle(), reservation, false), length_s);
            extra.take(place.job(), place.shares());
        }
        return place != null;
    }

    private void start(
            final WaitingJob job, final PartitionChoice.Place place, final Start decision, final long length_s) {
        pass.start(job, place.job(), decision, place.shares(), length_s);
    }
}
