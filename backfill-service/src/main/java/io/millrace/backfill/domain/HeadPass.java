package io.millrace.backfill.domain;

import io.millrace.model.PartitionName;
import io.millrace.model.view.NodeShare;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pass with at most one reservation, that of the head job: strict order, EASY (Lifka 1995), and checkpoint backfill. With R running and
 * Q queued jobs it takes O(R + Q) steps; blocks of jobs that cannot pass cost one.
 */
final class HeadPass {

    private final Ledger ledger;
    private final long now_s;
    private final List<PlannedJob> started = new ArrayList<>();
    private List<PlannedJob> cut = List.of();
    /** Whoever passed on a shrunk estimate now would have to be cut after the others, and the head would wait for one checkpoint more. */
    private boolean cutsAreMade;

    HeadPass(final Ledger ledger, final long now_s) {
        this.ledger = ledger;
        this.now_s = now_s;
    }

    Decisions decide() {
        final int turn = startInOrder();
        if (turn == ledger.line.end()) {
            return new Decisions(started, cut, List.of(), ShadowTime.NEVER);
        }
        final PlannedJob head = ledger.line.at(turn);
        final Cutting cutting = ledger.policy.cutting();
        final Shadow shadow = cutting == null ? Shadow.of(ledger, head, now_s) : cutIfDue(head, cutting);
        final boolean rose = ledger.policy.keepsHead() && head.rise(PlannedJob.IS_HEAD) && !isFirst(turn);
        if (rose) {
            ledger.reorder();
        }
        final Reservation reservation = new Reservation(
                head.job(), new ShadowTime(shadow.at_s()), shadow.beside().idle());
        if (ledger.policy.reservations() > 0 && ledger.room().idle() > 0) {
            // Where the line was put in order anew, its places are others than before.
            backfill(cut.isEmpty() && !rose ? turn + 1 : 0, reservation, shadow.beside());
        }
        return new Decisions(started, cut, List.of(reservation), lookAgain_s(shadow.at_s(), cutting));
    }

    /** Whether it comes before everybody as it is. */
    private boolean isFirst(final int turn) {
        return ledger.candidates == ledger.line && ledger.line.next(0) == turn;
    }

    private Shadow cutIfDue(final PlannedJob head, final Cutting cutting) {
        final Shadow underWay = Shadow.ofCheckpoints(ledger, cutting, head, now_s);
        if (underWay != null) {
            cutsAreMade = true;
            return underWay;
        }
        final Shadow shadow = Shadow.of(ledger, head, now_s);
        if (shadow.at_s() - cutting.lead_s() > now_s) {
            return shadow;
        }
        cut = Victims.cut(ledger, cutting, head, shadow, now_s);
        final Shadow made = cut.isEmpty() ? null : Shadow.ofCheckpoints(ledger, cutting, head, now_s);
        cutsAreMade = made != null;
        return made == null ? shadow : made;
    }

    private long lookAgain_s(final long shadow_s, final @Nullable Cutting cutting) {
        if (cutting == null || shadow_s >= ShadowTime.NEVER) {
            return ShadowTime.NEVER;
        }
        final long due = shadow_s - cutting.lead_s();
        return due > now_s ? due : Math.max(shadow_s, now_s + 1);
    }

    /** Returns the index of the first job that must wait for cores; jobs that no end of other jobs would help stand aside. */
    private int startInOrder() {
        final WaitingLine line = ledger.line;
        @Nullable Room emptied = null;
        int i = line.next(0);
        while (i < line.end()) {
            final PlannedJob job = line.at(i);
            if (goesWhereItFits(job)) {
                final Start turn = Start.inOrder(job.job(), ledger.room().idle());
                start(job, job.estimate_s(), turn, ledger.room().choose(job.job()));
                i = line.next(i);
                continue;
            }
            emptied = emptied == null ? Shadow.emptied(ledger) : emptied;
            if (emptied.fits(job.job())) {
                return i;
            }
            i = line.next(i + 1);
        }
        return line.end();
    }

    /** Its own partition comes first. */
    private boolean goesWhereItFits(final PlannedJob job) {
        if (ledger.room().fits(job.job())) {
            return true;
        }
        for (final PartitionName other : job.job().others()) {
            final QueuedJob there = job.job().in(other);
            if (ledger.room().fits(there)) {
                job.goTo(there);
                return true;
            }
        }
        return false;
    }

    private void backfill(final int from, final Reservation reservation, final Room beside) {
        final boolean sameOrder = ledger.candidates == ledger.line;
        final WaitingLine line = ledger.candidates;
        final Room room = ledger.room();
        // A job without a limit ends before nothing, not even before an unforeseeable time.
        final long window_s = Math.min(reservation.shadow().second() - now_s, ShadowTime.NEVER - 1);
        int i = line.nextThatMayPass(sameOrder ? from : 0, room.idle(), window_s, beside.idle());
        while (i < line.end()) {
            final PlannedJob job = line.at(i);
            final long length = ledger.mayShrink() ? line.length_s(i) : job.estimate_s();
            final long withinWindow = cutsAreMade ? job.estimate_s() : length;
            if (withinWindow <= window_s) {
                passBefore(job, withinWindow, reservation);
            } else {
                passBeside(job, length, reservation, beside);
            }
            if (room.idle() == 0) {
                return;
            }
            i = line.nextThatMayPass(i + 1, room.idle(), window_s, beside.idle());
        }
    }

    /** It ends before the head takes its room. */
    private void passBefore(final PlannedJob job, final long length_s, final Reservation reservation) {
        if (goesWhereItFits(job)) {
            final Room room = ledger.room();
            start(job, length_s, new Start(job.job(), room.idle(), reservation, true), room.choose(job.job()));
        }
    }

    /** On nodes that the head leaves it, if there are enough. */
    private void passBeside(
            final PlannedJob job, final long length_s, final Reservation reservation, final Room beside) {
        final List<NodeShare> on = goesBeside(job, beside);
        if (on != null) {
            start(job, length_s, new Start(job.job(), ledger.room().idle(), reservation, false), on);
            beside.take(job.job(), on);
        }
    }

    private @Nullable List<NodeShare> goesBeside(final PlannedJob job, final Room beside) {
        final List<NodeShare> own = ledger.room().chooseBeside(job.job(), beside);
        if (own != null) {
            return own;
        }
        for (final PartitionName other : job.job().others()) {
            final QueuedJob there = job.job().in(other);
            final List<NodeShare> on = ledger.room().chooseBeside(there, beside);
            if (on != null) {
                job.goTo(there);
                return on;
            }
        }
        return null;
    }

    private void start(final PlannedJob job, final long length_s, final Start how, final List<NodeShare> on) {
        ledger.withdraw(job);
        ledger.start(job, how, on, now_s, ShadowTime.after(now_s, length_s));
        started.add(job);
    }
}
