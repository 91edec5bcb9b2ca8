package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.Reservation;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.Start;
import io.millrace.backfill.domain.WaitingJob;
import io.millrace.decide.NodeShare;
import io.millrace.decide.PlacementRequest;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Placement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Conservative backfill: every job holds a reservation from its arrival, the earliest that delays no job before it. When a job ends early,
 * each reservation is tried again in order and may move to an earlier time (Mu'alem, Feitelson 2001).
 */
final class ConservativeBackfill {
    private static final int MANY = 16;

    private final Pass pass;
    private final PartitionChoice partitions;

    ConservativeBackfill(final Pass pass) {
        this.pass = pass;
        this.partitions = new PartitionChoice(pass);
    }

    Schedule schedule() {
        final EarlierReservations earlier = new EarlierReservations(pass);
        earlier.keepOrMove();
        if (pass.promises().mayMove()) {
            earlier.holders().forEach(this::moveForward);
        }
        reserveAll(pass.waiting().left().stream()
                .filter(job -> !pass.isReserved(job))
                .toList());
        startDue();
        final List<Reservation> reservations =
                pass.waiting().left().stream().map(pass::reservationOf).toList();
        pass.started()
                .sort(Comparator.comparing(
                        Pass.Started::job, pass.policy().order().comparator()));
        final long next_s = reservations.stream()
                .mapToLong(each -> each.shadow().second())
                .filter(at_s -> at_s > pass.now_s())
                .min()
                .orElse(ShadowTime.NEVER);
        return pass.schedule(reservations, next_s);
    }

    /** Starts the jobs whose reservations are due. */
    private void startDue() {
        final List<WaitingJob> due = new ArrayList<>();
        @Nullable Reservation first = null;
        for (final WaitingJob job : pass.waiting().left()) {
            if (pass.reserved_s(job) <= pass.now_s()) {
                due.add(job);
            } else if (first == null) {
                first = pass.reservationOf(job);
            }
        }
        for (final WaitingJob job : due) {
            startAllDue(job, first);
        }
    }

    /** Capacity only decreases here, so among many jobs each search begins where the searches for smaller jobs have ended. */
    private void reserveAll(final List<WaitingJob> arrived) {
        if (arrived.size() < MANY) {
            for (final WaitingJob job : arrived) {
                pass.reserveEarliest(job, pass.now_s());
                startInOtherPartition(job);
            }
            return;
        }
        final Map<PlacementRequest, EarliestStartBounds> bounds = new HashMap<>();
        for (final WaitingJob job : arrived) {
            final EarliestStartBounds bound =
                    bounds.computeIfAbsent(comparable(job.job()), demand -> new EarliestStartBounds());
            final long notBefore_s = Math.max(pass.now_s(), bound.notBefore_s(job.cores(), job.estimate_s()));
            bound.record(job.cores(), job.estimate_s(), pass.reserveEarliest(job, notBefore_s));
            startInOtherPartition(job);
        }
    }

    /** Of jobs that are equal in this, a wider and longer one never starts earlier. */
    private PlacementRequest comparable(final QueuedJob job) {
        return pass.free().countsOnlyCores()
                ? new PlacementRequest(Resources.NONE, Placement.ANYWHERE, job.partition())
                : new PlacementRequest(job.resources(), job.placement(), job.partition());
    }

    private void moveForward(final WaitingJob job) {
        if (pass.reserved_s(job) > pass.now_s()) {
            pass.release(job);
            pass.reserveEarliest(job, pass.now_s());
            startInOtherPartition(job);
        }
    }

    private void startInOtherPartition(final WaitingJob job) {
        final PartitionChoice.Place place =
                pass.reserved_s(job) > pass.now_s() ? partitions.inOtherPartition(job) : null;
        if (place != null) {
            final Start decision = Start.inOrder(place.job(), pass.free().idle());
            pass.start(job, place.job(), decision, place.shares(), job.estimate_s());
        }
    }

    /** Starts a job whose reservation is due; of an array, one task after the other, as long as the next can start now, too. */
    private void startAllDue(final WaitingJob due, final @Nullable Reservation first) {
        @Nullable WaitingJob job = due;
        while (job != null) {
            final List<NodeShare> shares = sharesNow(job, pass.release(job).shares());
            if (shares == null) {
                // Another job exceeds its expected end.
                pass.reserveEarliest(job, pass.now_s());
                return;
            }
            job = start(job, shares, first);
            if (job != null && pass.reserveEarliest(job, pass.now_s()) > pass.now_s()) {
                return;
            }
        }
    }

    /** @return what is left in the queue */
    private @Nullable WaitingJob start(
            final WaitingJob job, final List<NodeShare> shares, final @Nullable Reservation first) {
        final int idle = pass.free().idle();
        final Start decision = first != null && QueuedJob.BY_SUBMISSION.compare(first.head(), job.job()) < 0
                ? new Start(job.job(), idle, first, true)
                : Start.inOrder(job.job(), idle);
        return pass.start(job, job.job(), decision, shares, job.estimate_s());
    }

    /** Where only cores count, a start while another job exceeds its estimate takes nothing from reservations. */
    private @Nullable List<NodeShare> sharesNow(final WaitingJob job, final List<NodeShare> reserved) {
        if (!pass.free().fits(job.job())) {
            return null;
        }
        return pass.free().countsOnlyCores()
                ? List.of()
                : pass.profile().sharesAt(job.job(), reserved, pass.now_s(), job.estimate_s());
    }
}
