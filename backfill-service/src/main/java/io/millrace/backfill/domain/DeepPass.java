package io.millrace.backfill.domain;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pass with several reservations, made anew each time: whoever cannot start holds the earliest room for itself until so many do, and the
 * rest may pass only where none of them is delayed. Nodes are looked at for starts; reservations count cores.
 */
final class DeepPass {

    private record Held(PlannedJob job, long from_s, long until_s) {}

    private final Ledger ledger;
    private final long now_s;
    private final List<PlannedJob> started = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();

    DeepPass(final Ledger ledger, final long now_s) {
        this.ledger = ledger;
        this.now_s = now_s;
    }

    Decisions decide() {
        final WaitingLine line = ledger.line;
        final int depth = Math.max(1, ledger.policy.reservations());
        int i = line.next(0);
        while (i < line.end() && held.size() < depth) {
            final PlannedJob job = line.at(i);
            startOrHold(job);
            i = line.next(job.isOnItsCores() ? i : i + 1);
        }
        final List<Reservation> reservations = reservations();
        if (!held.isEmpty() && ledger.policy.reservations() > 0) {
            backfill(ledger.candidates == line ? i : 0, reservations.getFirst());
        }
        held.forEach(h -> ledger.later().giveBack(h.job.job(), h.from_s, h.until_s));
        return new Decisions(started, List.of(), reservations, lookAgain_s());
    }

    private void startOrHold(final PlannedJob job) {
        final long length = job.estimate_s();
        long at = ledger.later().earliest(job.job(), now_s, length);
        if (at == now_s) {
            if (ledger.room().fits(job.job())) {
                start(job, held.isEmpty() ? null : reservationOf(held.getFirst()));
                return;
            }
            at = ledger.later().earliest(job.job(), now_s + 1, length);
        }
        if (at < ShadowTime.NEVER) {
            final Held mine = new Held(job, at, ShadowTime.after(at, length));
            ledger.later().take(job.job(), mine.from_s, mine.until_s);
            held.add(mine);
        }
    }

    private void backfill(final int from, final Reservation head) {
        final WaitingLine line = ledger.candidates;
        int i = next(line, from);
        while (i < line.end() && ledger.room().idle() > 0) {
            final PlannedJob job = line.at(i);
            if (ledger.room().fits(job.job()) && ledger.later().fits(job.job(), now_s, job.estimate_s())) {
                start(job, head);
            }
            i = next(line, i + 1);
        }
    }

    private int next(final WaitingLine line, final int from) {
        return line.nextThatMayPass(from, ledger.room().idle(), Long.MAX_VALUE, 0);
    }

    private void start(final PlannedJob job, final @Nullable Reservation passed) {
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
        ledger.start(job, how, now_s, ShadowTime.after(now_s, job.estimate_s()));
        started.add(job);
    }

    private List<Reservation> reservations() {
        return held.stream().map(this::reservationOf).toList();
    }

    private Reservation reservationOf(final Held h) {
        final long beside = ledger.later().cluster().freeAt(h.from_s);
        return new Reservation(h.job.job(), new ShadowTime(h.from_s), (int) Math.max(0, beside));
    }

    /** Windows begin and end by themselves. */
    private long lookAgain_s() {
        return held.stream().mapToLong(Held::from_s).min().orElse(ShadowTime.NEVER);
    }
}
