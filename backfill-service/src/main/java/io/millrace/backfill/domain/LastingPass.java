package io.millrace.backfill.domain;

import io.millrace.model.Resources;
import io.millrace.model.cluster.Placement;
import io.millrace.model.view.PlacementRequest;
import io.millrace.model.view.NodeShare;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Conservative backfill: every job holds a reservation from its arrival, the earliest that delays nobody before it; when a job ends early,
 * each is tried again in order and moves forward, never back (Mu'alem, Feitelson 2001).
 */
final class LastingPass {

    private static final int MANY = 16;

    private final Ledger ledger;
    private final long now_s;
    private final List<PlannedJob> started = new ArrayList<>();

    LastingPass(final Ledger ledger, final long now_s) {
        this.ledger = ledger;
        this.now_s = now_s;
    }

    /** @param arrived without a reservation yet, in order */
    Decisions decide(final List<PlannedJob> arrived, final boolean somebodyEnded) {
        if (somebodyEnded) {
            moveForward();
        }
        reserveAll(arrived);
        final List<PlannedJob> due = new ArrayList<>();
        final List<Reservation> reservations = new ArrayList<>();
        long next = ShadowTime.NEVER;
        for (int i = ledger.line.next(0); i < ledger.line.end(); i = ledger.line.next(i + 1)) {
            final PlannedJob job = ledger.line.at(i);
            if (job.reserved_s() <= now_s) {
                due.add(job);
            } else {
                next = Math.min(next, job.reserved_s());
                if (reservations.isEmpty()) {
                    reservations.add(ledger.reservationOf(job));
                }
            }
        }
        start(due, reservations);
        started.sort(ledger.policy.order().comparator());
        return new Decisions(started, List.of(), reservations, next);
    }

    /** Where its own partition makes it wait, and another can take it now. */
    private void startElsewhere(final PlannedJob job) {
        final List<NodeShare> on = job.reserved_s() > now_s ? ledger.sendElsewhere(job, now_s) : null;
        if (on != null) {
            start(job, Start.inOrder(job.job(), ledger.room().idle()), on);
        }
    }

    /** Room is only taken meanwhile; so among many, each search begins where those for smaller jobs have ended. */
    private void reserveAll(final List<PlannedJob> arrived) {
        if (arrived.size() < MANY) {
            for (final PlannedJob job : arrived) {
                ledger.reserveEarliest(job, now_s);
                startElsewhere(job);
            }
            return;
        }
        final Map<PlacementRequest, TriedBefore> tried = new HashMap<>();
        for (final PlannedJob job : arrived) {
            final TriedBefore there = tried.computeIfAbsent(alike(job.job()), p -> new TriedBefore());
            ledger.reserveEarliest(job, Math.max(now_s, there.notBefore_s(job.cores(), job.estimate_s())));
            there.found(job.cores(), job.estimate_s(), job.reserved_s());
            startElsewhere(job);
        }
    }

    /** Of jobs that are alike in this, a wider and longer one finds no earlier room. */
    private PlacementRequest alike(final QueuedJob job) {
        return ledger.room().isAnonymous()
                ? new PlacementRequest(Resources.NONE, Placement.ANYWHERE, job.partition())
                : new PlacementRequest(job.resources(), job.placement(), job.partition());
    }

    private void moveForward() {
        for (int i = ledger.line.next(0); i < ledger.line.end(); i = ledger.line.next(i + 1)) {
            final PlannedJob job = ledger.line.at(i);
            if (job.reserved_s() > now_s) {
                ledger.release(job);
                ledger.reserveEarliest(job, now_s);
                startElsewhere(job);
            }
        }
    }

    /** The room is there by the reservations; if somebody outlives what was foreseen of him, the job gets the next. */
    private void start(final List<PlannedJob> due, final List<Reservation> reservations) {
        for (final PlannedJob job : due) {
            final List<NodeShare> reserved = job.reservedOn();
            ledger.release(job);
            final List<NodeShare> on = roomNow(job, reserved);
            if (on == null) {
                ledger.reserveEarliest(job, now_s);
                continue;
            }
            final boolean overtakes = !reservations.isEmpty()
                    && isBehind(job, reservations.getFirst().head());
            final int idle = ledger.room().idle();
            start(
                    job,
                    overtakes
                            ? new Start(job.job(), idle, reservations.getFirst(), true)
                            : Start.inOrder(job.job(), idle),
                    on);
        }
    }

    private void start(final PlannedJob job, final Start how, final List<NodeShare> on) {
        ledger.withdraw(job);
        ledger.start(job, how, on, now_s, ShadowTime.after(now_s, job.estimate_s()));
        started.add(job);
    }

    /** Where only cores count, whoever starts on a wrong foresight of others does no harm: these keep what they have. */
    private @Nullable List<NodeShare> roomNow(final PlannedJob job, final List<NodeShare> reserved) {
        if (!ledger.room().fits(job.job())) {
            return null;
        }
        return ledger.room().isAnonymous()
                ? List.of()
                : ledger.later().room(job.job(), reserved, now_s, job.estimate_s());
    }

    private boolean isBehind(final PlannedJob job, final QueuedJob head) {
        return QueuedJob.BY_SUBMISSION.compare(head, job.job()) < 0;
    }
}
