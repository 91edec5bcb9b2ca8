package io.millrace.backfill.domain.planner;

import io.millrace.backfill.domain.job.JobOrder;
import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.Reservation;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.backfill.domain.job.Start;
import io.millrace.backfill.domain.job.WaitingQueue;
import io.millrace.decide.NodeShare;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Backfill with several reservations or with maintenance windows: up to N jobs that cannot start hold reservations on certain nodes, and
 * the other jobs start if they delay none of them. A reservation is kept until its job starts. It moves to a later time only if a job
 * comes before its holder in order, cores leave the cluster, or a job exceeds its expected end.
 */
final class MultiReservationBackfill {
    private final PlannerState state;
    private final PartitionChoice partitions;
    private final long now_s;
    private final List<PlannedJob> started = new ArrayList<>();
    private final List<PlannedJob> holders = new ArrayList<>();
    /** Holders of earlier reservations that have not had their turn in this pass. */
    private final Deque<PlannedJob> earlierHolders = new ArrayDeque<>();

    MultiReservationBackfill(final PlannerState state, final long now_s) {
        this.state = state;
        this.partitions = new PartitionChoice(state);
        this.now_s = now_s;
    }

    PassDecisions decide() {
        moveForward();
        final WaitingQueue waiting = state.waiting();
        final int depth = Math.max(1, state.policy().reservations());
        int i = waiting.next(0);
        while (i < waiting.end() && holders.size() < depth) {
            final int before = started.size();
            startOrReserve(waiting.at(i));
            // After a start the next task of an array is at the same place.
            i = waiting.next(started.size() > before ? i : i + 1);
        }
        // Holders that another job has pushed beyond the depth keep their reservations.
        List.copyOf(earlierHolders).forEach(this::startOrKeep);
        state.setReservationHolders(holders);
        final boolean reordered = keepPlaces();
        final List<Reservation> reservations =
                holders.stream().map(state::reservationOf).toList();
        if (!holders.isEmpty() && state.policy().reservations() > 0) {
            backfill(state.triesInQueueOrder() && !reordered ? i : 0, reservations.getFirst());
        }
        return new PassDecisions(started, List.of(), reservations, nextReservation_s());
    }

    private void moveForward() {
        final EarlierReservations earlier = new EarlierReservations(state, now_s);
        earlier.takeAll(state.reservationHolders());
        earlier.keepOrReplanAll();
        for (final PlannedJob job : earlier.holders()) {
            state.releaseReservation(job);
            state.reserveEarliest(job, now_s);
            earlierHolders.add(job);
        }
    }

    private void startOrReserve(final PlannedJob job) {
        if (job.holdsReservation()) {
            earlierHolders.remove(job);
            startOrKeep(job);
            return;
        }
        long at_s = earliest_s(job);
        if (at_s > now_s && startsInOtherPartition(job)) {
            return;
        }
        if (at_s > now_s
                && at_s < ShadowTime.NEVER
                && !earlierHolders.isEmpty()
                && state.policy().order() != JobOrder.FCFS) {
            // It comes before the earlier holders in order, so they must not delay it.
            releaseEarlierHolders();
            at_s = earliest_s(job);
        }
        if (at_s < ShadowTime.NEVER) {
            state.reserve(job, at_s, state.profile().nodesFor(job.job(), at_s, job.estimate_s()));
            startOrKeep(job);
        }
    }

    private long earliest_s(final PlannedJob job) {
        return state.profile().earliest(job.job(), now_s, job.estimate_s());
    }

    private void releaseEarlierHolders() {
        earlierHolders.forEach(state::releaseReservation);
        earlierHolders.clear();
    }

    private void startOrKeep(final PlannedJob job) {
        if (job.reserved_s() > now_s) {
            if (!startsInOtherPartition(job)) {
                keep(job);
            }
        } else if (state.free().fits(job.job())) {
            final List<NodeShare> shares = job.reservedOn();
            state.releaseReservation(job);
            start(job, bypassed(), shares);
        } else {
            // The observed free capacity contradicts the expected one.
            state.releaseReservation(job);
            state.reserveEarliest(job, now_s + 1);
            keep(job);
        }
    }

    private boolean startsInOtherPartition(final PlannedJob job) {
        final List<NodeShare> shares = partitions.moveToOtherPartition(job, now_s);
        if (shares == null) {
            return false;
        }
        start(job, bypassed(), shares);
        return true;
    }

    /** The reservation that a start bypasses; null if the job starts in its turn. */
    private @Nullable Reservation bypassed() {
        return holders.isEmpty() ? null : state.reservationOf(holders.getFirst());
    }

    private void keep(final PlannedJob job) {
        if (job.reserved_s() < ShadowTime.NEVER) {
            holders.add(job);
        } else {
            state.releaseReservation(job);
        }
    }

    /** @return whether the queue was reordered */
    private boolean keepPlaces() {
        boolean raised = false;
        for (final PlannedJob job : holders) {
            raised |= state.keepAtHead(job);
        }
        if (raised) {
            state.reorder();
        }
        return raised;
    }

    private void backfill(final int from, final Reservation head) {
        final WaitingQueue candidates = state.candidates();
        int i = next(candidates, from);
        while (i < candidates.end() && state.free().idle() > 0) {
            final PlannedJob job = candidates.at(i);
            final int before = started.size();
            if (!job.holdsReservation()) {
                final List<NodeShare> own = state.free().fits(job.job())
                        ? state.profile().sharesAt(job.job(), now_s, job.estimate_s())
                        : null;
                final List<NodeShare> shares = own == null ? partitions.moveToOtherPartition(job, now_s) : own;
                if (shares != null) {
                    start(job, head, shares);
                }
            }
            i = next(candidates, started.size() > before ? i : i + 1);
        }
    }

    private int next(final WaitingQueue candidates, final int from) {
        return candidates.nextThatMayPass(from, state.free().idle(), Long.MAX_VALUE, 0);
    }

    private void start(final PlannedJob job, final @Nullable Reservation bypassed, final List<NodeShare> shares) {
        final int idle = state.free().idle();
        final Start decision = bypassed == null
                ? Start.inOrder(job.job(), idle)
                : new Start(
                        job.job(),
                        idle,
                        bypassed,
                        ShadowTime.after(now_s, job.estimate_s())
                                <= bypassed.shadow().second());
        started.add(state.start(job, decision, shares, now_s, job.estimate_s()));
    }

    /** Reservations in a maintenance window become due without any event. */
    private long nextReservation_s() {
        return holders.stream().mapToLong(PlannedJob::reserved_s).min().orElse(ShadowTime.NEVER);
    }
}
