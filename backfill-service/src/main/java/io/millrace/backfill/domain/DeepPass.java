package io.millrace.backfill.domain;

import io.millrace.model.view.NodeShare;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pass with several reservations, or with windows: whoever cannot start holds the earliest room for itself, on certain nodes, until so many do, and
 * the rest may pass only where none of them is delayed. A reservation lasts until its job starts: it moves forward, and back only
 * if somebody comes before its holder in order, cores leave, or a job outlives what was foreseen of it.
 */
final class DeepPass {

    private final Ledger ledger;
    private final long now_s;
    private final List<PlannedJob> started = new ArrayList<>();
    private final List<PlannedJob> held = new ArrayList<>();
    /** Who holds a reservation from an earlier pass, and has not had its turn in this one. */
    private final Deque<PlannedJob> behind = new ArrayDeque<>();

    DeepPass(final Ledger ledger, final long now_s) {
        this.ledger = ledger;
        this.now_s = now_s;
    }

    Decisions decide() {
        moveForward();
        final WaitingLine line = ledger.line;
        final int depth = Math.max(1, ledger.policy.reservations());
        int i = line.next(0);
        while (i < line.end() && held.size() < depth) {
            final PlannedJob job = line.at(i);
            turn(job);
            i = line.next(job.isOnItsCores() ? i : i + 1);
        }
        // Whom a job that could not be foreseen before has pushed beyond the depth keeps what it was promised.
        List.copyOf(behind).forEach(this::startOrKeep);
        ledger.holders.clear();
        ledger.holders.addAll(held);
        final boolean rose = keepPlaces();
        final List<Reservation> reservations = reservations();
        if (!held.isEmpty() && ledger.policy.reservations() > 0) {
            backfill(ledger.candidates == line && !rose ? i : 0, reservations.getFirst());
        }
        return new Decisions(started, List.of(), reservations, lookAgain_s());
    }

    private void moveForward() {
        final Promises promises = new Promises(ledger, now_s);
        promises.takeUp(ledger.holders);
        promises.keepOrPlanAnew();
        for (final PlannedJob job : promises.holders()) {
            ledger.release(job);
            ledger.reserveEarliest(job, now_s);
            behind.add(job);
        }
    }

    private void turn(final PlannedJob job) {
        if (job.holdsReservation()) {
            behind.remove(job);
            startOrKeep(job);
            return;
        }
        long at = earliest_s(job);
        if (at > now_s && startsElsewhere(job)) {
            return;
        }
        if (at > now_s && at < ShadowTime.NEVER && !behind.isEmpty() && ledger.policy.order() != Order.FCFS) {
            // It comes before them in order, so they must not delay it.
            giveUpBehind();
            at = earliest_s(job);
        }
        if (at < ShadowTime.NEVER) {
            ledger.reserve(job, at, ledger.later().nodesFor(job.job(), at, job.estimate_s()));
            startOrKeep(job);
        }
    }

    private long earliest_s(final PlannedJob job) {
        return ledger.later().earliest(job.job(), now_s, job.estimate_s());
    }

    private void giveUpBehind() {
        behind.forEach(ledger::release);
        behind.clear();
    }

    private void startOrKeep(final PlannedJob job) {
        if (job.reserved_s() > now_s) {
            if (!startsElsewhere(job)) {
                keep(job);
            }
        } else if (ledger.room().fits(job.job())) {
            final List<NodeShare> on = job.reservedOn();
            ledger.release(job);
            start(job, passed(), on);
        } else {
            // What is seen free and what was foreseen disagree.
            ledger.release(job);
            ledger.reserveEarliest(job, now_s + 1);
            keep(job);
        }
    }

    private boolean startsElsewhere(final PlannedJob job) {
        final List<NodeShare> on = ledger.sendElsewhere(job, now_s);
        if (on == null) {
            return false;
        }
        start(job, passed(), on);
        return true;
    }

    /** Whom it passes; null if it is its turn. */
    private @Nullable Reservation passed() {
        return held.isEmpty() ? null : ledger.reservationOf(held.getFirst());
    }

    private void keep(final PlannedJob job) {
        if (job.reserved_s() < ShadowTime.NEVER) {
            held.add(job);
        } else {
            ledger.release(job);
        }
    }

    /** @return whether the line was put in order anew */
    private boolean keepPlaces() {
        boolean rose = false;
        if (ledger.policy.keepsHead()) {
            for (final PlannedJob job : held) {
                rose |= job.rise(PlannedJob.IS_HEAD);
            }
        }
        if (rose) {
            ledger.reorder();
        }
        return rose;
    }

    private void backfill(final int from, final Reservation head) {
        final WaitingLine line = ledger.candidates;
        int i = next(line, from);
        while (i < line.end() && ledger.room().idle() > 0) {
            final PlannedJob job = line.at(i);
            if (!job.holdsReservation()) {
                final List<NodeShare> on =
                        ledger.room().fits(job.job()) ? ledger.later().room(job.job(), now_s, job.estimate_s()) : null;
                final List<NodeShare> anywhere = on == null ? ledger.sendElsewhere(job, now_s) : on;
                if (anywhere != null) {
                    start(job, head, anywhere);
                }
            }
            i = next(line, i + 1);
        }
    }

    private int next(final WaitingLine line, final int from) {
        return line.nextThatMayPass(from, ledger.room().idle(), Long.MAX_VALUE, 0);
    }

    private void start(final PlannedJob job, final @Nullable Reservation passed, final List<NodeShare> on) {
        final int idle = ledger.room().idle();
        final Start how = passed == null
                ? Start.inOrder(job.job(), idle)
                : new Start(
                        job.job(),
                        idle,
                        passed,
                        ShadowTime.after(now_s, job.estimate_s())
                                <= passed.shadow().second());
        ledger.withdraw(job);
        ledger.start(job, how, on, now_s, ShadowTime.after(now_s, job.estimate_s()));
        started.add(job);
    }

    private List<Reservation> reservations() {
        return held.stream().map(ledger::reservationOf).toList();
    }

    /** Windows begin and end by themselves. */
    private long lookAgain_s() {
        return held.stream().mapToLong(PlannedJob::reserved_s).min().orElse(ShadowTime.NEVER);
    }
}
