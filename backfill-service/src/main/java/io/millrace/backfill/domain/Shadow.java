package io.millrace.backfill.domain;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When the head job will find its room, by what is foreseen of those who run.
 *
 * @param at_s the time; not before now. {@link ShadowTime#NEVER} if only the end of jobs without a limit would help
 * @param beside the room that is left at that time when the head has taken its own
 */
record Shadow(long at_s, Room beside) {

    /** Who outlives a shrunk estimate counts as free at once, since the head may have it cut. */
    static Shadow of(final Ledger ledger, final PlannedJob head, final long now_s) {
        return Objects.requireNonNull(
                search(ledger, head, now_s, true), "it fits when everything has ended, so at some end");
    }

    /**
     * When the checkpoints that are being written for the head's sake make room for it, with nobody else cut, whoever outlives a shrunk estimate
     * meanwhile: what no one is sure to leave is not to be given to those who pass. Null if they do not suffice.
     */
    static @Nullable Shadow ofCheckpoints(
            final Ledger ledger, final Cutting cutting, final PlannedJob head, final long now_s) {
        if (!head.isDue()) {
            return null;
        }
        final Shadow shadow = search(ledger, head, now_s, false);
        return shadow == null || shadow.at_s() > now_s + cutting.checkpoint_s() ? null : shadow;
    }

    private static @Nullable Shadow search(
            final Ledger ledger, final PlannedJob head, final long now_s, final boolean shrunkLeave) {
        final RunningEnds ends = ledger.ends;
        final Room room = ledger.room().copy();
        for (int i = ends.first(); i < ends.end(); i++) {
            final PlannedJob job = ends.at(i);
            // A shrunk estimate is no bound: whoever outlives it must be cut as well, and the head waits once more.
            if (shrunkLeave || !job.isCuttable() || job.limitEnd_s() <= ends.end_s(i)) {
                leave(room, ends, i);
            }
            final long at = Math.max(ends.end_s(i), now_s);
            final boolean moreEndThen = i + 1 < ends.end() && Math.max(ends.end_s(i + 1), now_s) == at;
            if (!moreEndThen && head.cores() <= room.idle() && room.fits(head.job())) {
                room.take(head.job());
                return new Shadow(at, room);
            }
        }
        return null;
    }

    /** The room when everything that runs has ended. */
    static Room emptied(final Ledger ledger) {
        final Room room = ledger.room().copy();
        final RunningEnds ends = ledger.ends;
        for (int i = ends.first(); i < ends.end(); i++) {
            leave(room, ends, i);
        }
        return room;
    }

    private static void leave(final Room room, final RunningEnds ends, final int index) {
        if (room.isAnonymous()) {
            room.change(ends.cores(index));
        } else {
            room.give(ends.at(index));
        }
    }
}
