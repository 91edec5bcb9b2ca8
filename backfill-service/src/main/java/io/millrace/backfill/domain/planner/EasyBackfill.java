package io.millrace.backfill.domain.planner;

import io.millrace.backfill.domain.capacity.FreeCapacity;
import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.Reservation;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.backfill.domain.job.Start;
import io.millrace.backfill.domain.job.WaitingQueue;
import io.millrace.decide.NodeShare;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * EASY backfill (Lifka 1995). Jobs start in order. The first that does not fit is the head job: it gets a reservation at the shadow time.
 * Jobs behind it start if they end before the shadow time or fit into the capacity that the head job leaves.
 *
 * <p>Without reservations this is strict order; with a preemption policy it is checkpoint backfill. A pass takes O(R + Q) steps for R
 * running and Q waiting jobs; a block of jobs that cannot be backfilled takes one.
 */
final class EasyBackfill {
    private final PlannerState state;
    private final PartitionChoice partitions;
    private final long now_s;
    private final HeadPreemption preemption;
    private final List<PlannedJob> started = new ArrayList<>();

    EasyBackfill(final PlannerState state, final long now_s) {
        this.state = state;
        this.partitions = new PartitionChoice(state);
        this.now_s = now_s;
        this.preemption = new HeadPreemption(state, now_s);
    }

    PassDecisions decide() {
        final int headIndex = startInOrder();
        if (headIndex == state.waiting().end()) {
            return new PassDecisions(started, List.of(), List.of(), ShadowTime.NEVER);
        }
        final PlannedJob head = state.waiting().at(headIndex);
        final BackfillWindow window = preemption.windowFor(head);
        final boolean moved = state.keepAtHead(head) && !isFirst(headIndex);
        if (moved) {
            state.reorder();
        }
        final Reservation reservation = window.reservation(head);
        if (state.policy().reservations() > 0 && state.free().idle() > 0) {
            // A preemption or a new head changes the order: then all jobs are tried.
            final boolean sameOrder = preemption.victims().isEmpty() && !moved;
            backfill(sameOrder && state.triesInQueueOrder() ? headIndex + 1 : 0, reservation, window.extra());
        }
        return new PassDecisions(
                started, preemption.victims(), List.of(reservation), preemption.replanAt_s(window.shadow_s()));
    }

    /** @return the index of the head job: the first job that must wait for other jobs to end */
    private int startInOrder() {
        final WaitingQueue waiting = state.waiting();
        @Nullable FreeCapacity whenAllHaveEnded = null;
        int i = waiting.next(0);
        while (i < waiting.end()) {
            final PlannedJob job = waiting.at(i);
            if (partitions.fitsNow(job)) {
                start(job, Start.inOrder(job.job(), state.free().idle()), job.estimate_s(), whereItFits(job));
                i = waiting.next(i);
                continue;
            }
            whenAllHaveEnded = whenAllHaveEnded == null ? BackfillWindow.whenAllHaveEnded(state) : whenAllHaveEnded;
            if (whenAllHaveEnded.fits(job.job())) {
                return i;
            }
            // It does not fit the cluster as it is now, so no reservation would help it.
            i = waiting.next(i + 1);
        }
        return waiting.end();
    }

    /** @param extra capacity that is left at the shadow time once the head job has started */
    private void backfill(final int from, final Reservation reservation, final FreeCapacity extra) {
        final WaitingQueue candidates = state.candidates();
        final FreeCapacity free = state.free();
        // A job without a limit never ends in time, even if the shadow time is unknown.
        final long window_s = Math.min(reservation.shadow().second() - now_s, ShadowTime.NEVER - 1);
        int i = candidates.nextThatMayPass(from, free.idle(), window_s, extra.idle());
        while (i < candidates.end()) {
            final PlannedJob job = candidates.at(i);
            final long length_s = state.mayShrink() ? candidates.length_s(i) : job.estimate_s();
            final long lengthInWindow_s = preemption.isUnderWay() ? job.estimate_s() : length_s;
            final boolean starts = lengthInWindow_s <= window_s
                    ? startsBeforeShadowTime(job, lengthInWindow_s, reservation)
                    : startsBesideHead(job, length_s, reservation, extra);
            if (free.idle() == 0) {
                return;
            }
            // After a start the next task of an array is at the same place.
            i = candidates.nextThatMayPass(starts ? i : i + 1, free.idle(), window_s, extra.idle());
        }
    }

    private boolean startsBeforeShadowTime(final PlannedJob job, final long length_s, final Reservation reservation) {
        final boolean fits = partitions.fitsNow(job);
        if (fits) {
            final Start decision = new Start(job.job(), state.free().idle(), reservation, true);
            start(job, decision, length_s, whereItFits(job));
        }
        return fits;
    }

    private boolean startsBesideHead(
            final PlannedJob job, final long length_s, final Reservation reservation, final FreeCapacity extra) {
        final List<NodeShare> shares = partitions.sharesBeside(extra, job);
        if (shares != null) {
            start(job, new Start(job.job(), state.free().idle(), reservation, false), length_s, shares);
            extra.take(job.job(), shares);
        }
        return shares != null;
    }

    private List<NodeShare> whereItFits(final PlannedJob job) {
        return state.free().choose(job.job());
    }

    private void start(final PlannedJob job, final Start decision, final long length_s, final List<NodeShare> shares) {
        started.add(state.start(job, decision, shares, now_s, length_s));
    }

    private boolean isFirst(final int index) {
        return state.triesInQueueOrder() && state.waiting().next(0) == index;
    }
}
