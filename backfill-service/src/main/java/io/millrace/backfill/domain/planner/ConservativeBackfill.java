package io.millrace.backfill.domain.planner;

import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.Reservation;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.backfill.domain.job.Start;
import io.millrace.decide.NodeShare;
import io.millrace.decide.PlacementRequest;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Placement;
import java.util.ArrayList;
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

    private final PlannerState state;
    private final PartitionChoice partitions;
    private final long now_s;
    private final List<PlannedJob> started = new ArrayList<>();
    private long next_s = ShadowTime.NEVER;

    ConservativeBackfill(final PlannerState state, final long now_s) {
        this.state = state;
        this.partitions = new PartitionChoice(state);
        this.now_s = now_s;
    }

    /**
     * @param arrived jobs without a reservation, in order
     * @param capacityReleased whether a job has ended or cores have come, so that reservations may move forward
     */
    PassDecisions decide(final List<PlannedJob> arrived, final boolean capacityReleased) {
        if (capacityReleased) {
            state.forEachWaiting(this::moveForward);
        }
        reserveAll(arrived);
        final List<PlannedJob> due = new ArrayList<>();
        final List<Reservation> reservations = new ArrayList<>();
        for (int i = state.waiting().next(0);
                i < state.waiting().end();
                i = state.waiting().next(i + 1)) {
            final PlannedJob job = state.waiting().at(i);
            if (job.reserved_s() <= now_s) {
                due.add(job);
            } else {
                next_s = Math.min(next_s, job.reserved_s());
                if (reservations.isEmpty()) {
                    reservations.add(state.reservationOf(job));
                }
            }
        }
        due.forEach(job -> startAllDue(job, reservations));
        started.sort(state.policy().order().comparator());
        return new PassDecisions(started, List.of(), reservations, next_s);
    }

    private void startInOtherPartition(final PlannedJob job) {
        final List<NodeShare> shares = job.reserved_s() > now_s ? partitions.moveToOtherPartition(job, now_s) : null;
        if (shares != null) {
            start(job, Start.inOrder(job.job(), state.free().idle()), shares);
        }
    }

    /** Capacity only decreases here, so among many jobs each search begins where the searches for smaller jobs have ended. */
    private void reserveAll(final List<PlannedJob> arrived) {
        if (arrived.size() < MANY) {
            for (final PlannedJob job : arrived) {
                state.reserveEarliest(job, now_s);
                startInOtherPartition(job);
            }
            return;
        }
        final Map<PlacementRequest, EarliestStartBounds> bounds = new HashMap<>();
        for (final PlannedJob job : arrived) {
            final EarliestStartBounds bound =
                    bounds.computeIfAbsent(comparable(job.job()), demand -> new EarliestStartBounds());
            state.reserveEarliest(job, Math.max(now_s, bound.notBefore_s(job.cores(), job.estimate_s())));
            bound.record(job.cores(), job.estimate_s(), job.reserved_s());
            startInOtherPartition(job);
        }
    }

    /** Of jobs that are equal in this, a wider and longer one never starts earlier. */
    private PlacementRequest comparable(final QueuedJob job) {
        return state.free().countsOnlyCores()
                ? new PlacementRequest(Resources.NONE, Placement.ANYWHERE, job.partition())
                : new PlacementRequest(job.resources(), job.placement(), job.partition());
    }

    private void moveForward(final PlannedJob job) {
        if (job.reserved_s() > now_s) {
            state.releaseReservation(job);
            state.reserveEarliest(job, now_s);
            startInOtherPartition(job);
        }
    }

    /** Starts a job whose reservation is due; of an array, one task after the other, as long as the next can start now, too. */
    private void startAllDue(final PlannedJob job, final List<Reservation> reservations) {
        while (startsDue(job, reservations) && !job.isRunning()) {
            state.reserveEarliest(job, now_s);
            if (job.reserved_s() > now_s) {
                next_s = Math.min(next_s, job.reserved_s());
                return;
            }
        }
    }

    /**
     * Starts a job whose reservation is due. If another job exceeds its expected end, the job gets the next earliest time instead.
     *
     * @return whether it has started
     */
    private boolean startsDue(final PlannedJob job, final List<Reservation> reservations) {
        final List<NodeShare> reserved = job.reservedOn();
        state.releaseReservation(job);
        final List<NodeShare> shares = sharesNow(job, reserved);
        if (shares == null) {
            state.reserveEarliest(job, now_s);
            return false;
        }
        final boolean bypasses =
                !reservations.isEmpty() && isBehind(job, reservations.getFirst().head());
        final int idle = state.free().idle();
        start(
                job,
                bypasses ? new Start(job.job(), idle, reservations.getFirst(), true) : Start.inOrder(job.job(), idle),
                shares);
        return true;
    }

    private void start(final PlannedJob job, final Start decision, final List<NodeShare> shares) {
        started.add(state.start(job, decision, shares, now_s, job.estimate_s()));
    }

    /** Where only cores count, a start while another job exceeds its estimate takes nothing from reservations. */
    private @Nullable List<NodeShare> sharesNow(final PlannedJob job, final List<NodeShare> reserved) {
        if (!state.free().fits(job.job())) {
            return null;
        }
        return state.free().countsOnlyCores()
                ? List.of()
                : state.profile().sharesAt(job.job(), reserved, now_s, job.estimate_s());
    }

    private static boolean isBehind(final PlannedJob job, final QueuedJob head) {
        return QueuedJob.BY_SUBMISSION.compare(head, job.job()) < 0;
    }
}
