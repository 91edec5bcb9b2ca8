package io.millrace.backfill.domain;

import io.millrace.model.PartitionName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Conservative backfill: every job holds a reservation from its arrival, the earliest that delays nobody before it; when a job ends early,
 * each is tried again in order and moves forward, never back (Mu'alem, Feitelson 2001).
 */
final class LastingPass {

    private static final int MANY = 16;

    private final Ledger ledger;
    private final long now_s;

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
                    reservations.add(reservationOf(job));
                }
            }
        }
        return new Decisions(start(due, reservations), List.of(), reservations, next);
    }

    /** Room is only taken meanwhile; so among many, each search begins where those for smaller jobs have ended. */
    private void reserveAll(final List<PlannedJob> arrived) {
        if (arrived.size() < MANY) {
            arrived.forEach(job -> reserve(job, now_s));
            return;
        }
        final Map<PartitionName, TriedBefore> tried = new HashMap<>();
        for (final PlannedJob job : arrived) {
            final TriedBefore there = tried.computeIfAbsent(job.job().partition(), p -> new TriedBefore());
            reserve(job, Math.max(now_s, there.notBefore_s(job.cores(), job.estimate_s())));
            there.found(job.cores(), job.estimate_s(), job.reserved_s());
        }
    }

    private void moveForward() {
        for (int i = ledger.line.next(0); i < ledger.line.end(); i = ledger.line.next(i + 1)) {
            final PlannedJob job = ledger.line.at(i);
            if (job.reserved_s() > now_s) {
                release(job);
                reserve(job, now_s);
            }
        }
    }

    private void reserve(final PlannedJob job, final long from_s) {
        final long at = ledger.later().earliest(job.job(), from_s, job.estimate_s());
        job.reserve(at);
        ledger.later().take(job.job(), at, ShadowTime.after(at, job.estimate_s()));
    }

    private void release(final PlannedJob job) {
        final long from = job.reserved_s();
        ledger.later().giveBack(job.job(), from, ShadowTime.after(from, job.estimate_s()));
    }

    /** The cores are there by the reservations; nodes may still be in the way, then the job keeps its claim and is tried again. */
    private List<PlannedJob> start(final List<PlannedJob> due, final List<Reservation> reservations) {
        final List<PlannedJob> started = new ArrayList<>();
        for (final PlannedJob job : due) {
            release(job);
            if (!ledger.room().fits(job.job())) {
                reserve(job, now_s);
                continue;
            }
            final boolean overtakes = !reservations.isEmpty()
                    && isBehind(job, reservations.getFirst().head());
            final int idle = ledger.room().idle();
            ledger.withdraw(job);
            ledger.start(
                    job,
                    overtakes
                            ? new Start(job.job(), idle, reservations.getFirst(), true)
                            : Start.inOrder(job.job(), idle),
                    now_s,
                    ShadowTime.after(now_s, job.estimate_s()));
            started.add(job);
        }
        return started;
    }

    private boolean isBehind(final PlannedJob job, final QueuedJob head) {
        return QueuedJob.BY_SUBMISSION.compare(head, job.job()) < 0;
    }

    private Reservation reservationOf(final PlannedJob job) {
        final long beside = ledger.later().cluster().freeAt(job.reserved_s());
        return new Reservation(job.job(), new ShadowTime(job.reserved_s()), (int) Math.max(0, beside));
    }
}
