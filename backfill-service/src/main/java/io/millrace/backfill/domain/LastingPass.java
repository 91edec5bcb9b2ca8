package io.millrace.backfill.domain;

import java.util.ArrayList;
import java.util.List;

/**
 * Conservative backfill: every job holds a reservation from its arrival, the earliest that delays nobody before it; when a job ends early,
 * each is tried again in order and moves forward, never back (Mu'alem, Feitelson 2001).
 */
final class LastingPass {

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
        arrived.forEach(this::reserve);
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

    private void moveForward() {
        for (int i = ledger.line.next(0); i < ledger.line.end(); i = ledger.line.next(i + 1)) {
            final PlannedJob job = ledger.line.at(i);
            if (job.reserved_s() > now_s) {
                release(job);
                reserve(job);
            }
        }
    }

    private void reserve(final PlannedJob job) {
        final long at = ledger.later().earliest(job.job(), now_s, job.estimate_s());
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
            if (!ledger.room.fits(job.job())) {
                reserve(job);
                continue;
            }
            final boolean overtakes = !reservations.isEmpty()
                    && isBehind(job, reservations.getFirst().head());
            final int idle = ledger.room.idle();
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
