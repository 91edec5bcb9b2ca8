package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.JobOrder;
import io.millrace.backfill.domain.Reservation;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.Start;
import io.millrace.backfill.domain.WaitingJob;
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
    private final Pass pass;
    private final PartitionChoice partitions;
    private final List<WaitingJob> holders = new ArrayList<>();
    /** Holders of earlier reservations that have not had their turn in this pass. */
    private final Deque<WaitingJob> earlierHolders = new ArrayDeque<>();

    MultiReservationBackfill(final Pass pass) {
        this.pass = pass;
        this.partitions = new PartitionChoice(pass);
    }

    Schedule schedule() {
        moveForward();
        final WaitingQueue waiting = pass.waiting();
        final int depth = Math.max(1, pass.policy().reservations());
        int i = waiting.next(0);
        while (i < waiting.end() && holders.size() < depth) {
            // After a start the next task of an array is at the same place.
            i = waiting.next(startOrReserve(waiting.at(i)) ? i : i + 1);
        }
        // Holders that another job has pushed beyond the depth keep their reservations.
        List.copyOf(earlierHolders).forEach(this::startOrKeep);
        final List<Reservation> reservations =
                holders.stream().map(pass::reservationOf).toList();
        final boolean reordered = keepPlaces();
        if (!holders.isEmpty() && pass.policy().reservations() > 0) {
            backfill(pass.triesInQueueOrder() && !reordered ? i : 0, reservations.getFirst());
        }
        return pass.schedule(reservations, nextReservation_s());
    }

    private void moveForward() {
        final EarlierReservations earlier = new EarlierReservations(pass);
        earlier.keepOrReplanAll();
        for (final WaitingJob job : earlier.holders()) {
            pass.release(job);
            pass.reserveEarliest(job, pass.now_s());
            earlierHolders.add(job);
        }
    }

    /** @return whether it has started */
    private boolean startOrReserve(final WaitingJob job) {
        if (pass.isReserved(job)) {
            earlierHolders.remove(job);
            return startOrKeep(job);
        }
        long at_s = earliest_s(job);
        if (at_s > pass.now_s() && startsInOtherPartition(job)) {
            return true;
        }
        if (at_s > pass.now_s()
                && at_s < ShadowTime.NEVER
                && !earlierHolders.isEmpty()
                && pass.policy().order() != JobOrder.FCFS) {
            // It comes before the earlier holders in order, so they must not delay it.
            earlierHolders.forEach(pass::release);
            earlierHolders.clear();
            at_s = earliest_s(job);
        }
        if (at_s >= ShadowTime.NEVER) {
            return false;
        }
        pass.reserve(job, at_s, pass.profile().nodesFor(job.job(), at_s, job.estimate_s()));
        return startOrKeep(job);
    }

    private long earliest_s(final WaitingJob job) {
        return pass.profile().earliest(job.job(), pass.now_s(), job.estimate_s());
    }

    /** @return whether it has started */
    private boolean startOrKeep(final WaitingJob job) {
        if (pass.reserved_s(job) > pass.now_s()) {
            if (startsInOtherPartition(job)) {
                return true;
            }
            keep(job);
            return false;
        }
        final List<NodeShare> shares = pass.release(job).shares();
        if (pass.free().fits(job.job())) {
            start(job, new PartitionChoice.Place(job.job(), shares), bypassed());
            return true;
        }
        // The observed free capacity contradicts the expected one.
        pass.reserveEarliest(job, pass.now_s() + 1);
        keep(job);
        return false;
    }

    private boolean startsInOtherPartition(final WaitingJob job) {
        final PartitionChoice.Place place = partitions.inOtherPartition(job);
        if (place != null) {
            start(job, place, bypassed());
        }
        return place != null;
    }

    /** The reservation that a start bypasses; null if the job starts in its turn. */
    private @Nullable Reservation bypassed() {
        return holders.isEmpty() ? null : pass.reservationOf(holders.getFirst());
    }

    private void keep(final WaitingJob job) {
        if (pass.reserved_s(job) < ShadowTime.NEVER) {
            holders.add(job);
        } else {
            pass.release(job);
        }
    }

    /** @return whether the queue was reordered */
    private boolean keepPlaces() {
        boolean raised = false;
        for (final WaitingJob job : holders) {
            raised |= pass.keepAtHead(job);
        }
        return raised;
    }

    private void backfill(final int from, final Reservation head) {
        final WaitingQueue candidates = pass.candidates();
        int i = next(candidates, from);
        while (i < candidates.end() && pass.free().idle() > 0) {
            final WaitingJob job = candidates.at(i);
            final PartitionChoice.Place place = pass.isReserved(job) ? null : backfillPlace(job);
            if (place != null) {
                start(job, place, head);
            }
            i = next(candidates, place == null ? i + 1 : i);
        }
    }

    private PartitionChoice.@Nullable Place backfillPlace(final WaitingJob job) {
        final List<NodeShare> own =
                pass.free().fits(job.job()) ? pass.profile().sharesAt(job.job(), pass.now_s(), job.estimate_s()) : null;
        return own == null ? partitions.inOtherPartition(job) : new PartitionChoice.Place(job.job(), own);
    }

    private int next(final WaitingQueue candidates, final int from) {
        return candidates.nextThatMayPass(from, pass.free().idle(), Long.MAX_VALUE, 0);
    }

    private void start(final WaitingJob job, final PartitionChoice.Place place, final @Nullable Reservation bypassed) {
        final int idle = pass.free().idle();
        final Start decision = bypassed == null
                ? Start.inOrder(place.job(), idle)
                : new Start(
                        place.job(),
                        idle,
                        bypassed,
                        ShadowTime.after(pass.now_s(), job.estimate_s())
                                <= bypassed.shadow().second());
        pass.start(job, place.job(), decision, place.shares(), job.estimate_s());
    }

    /** Reservations in a maintenance window become due without any event. */
    private long nextReservation_s() {
        return holders.stream().mapToLong(pass::reserved_s).min().orElse(ShadowTime.NEVER);
    }
}
