package io.millrace.backfill.domain;

/**
 * When the head job will find its room, by what is foreseen of those who run.
 *
 * @param at_s the time; not before now. {@link ShadowTime#NEVER} if only the end of jobs without a limit would help
 * @param beside the room that is left at that time when the head has taken its own
 */
record Shadow(long at_s, Room beside) {

    static Shadow of(final Ledger ledger, final PlannedJob head, final long now_s) {
        final RunningEnds ends = ledger.ends;
        final Room room = ledger.room.copy();
        for (int i = ends.first(); i < ends.end(); i++) {
            if (room.isAnonymous()) {
                room.change(ends.cores(i));
            } else {
                room.give(ends.at(i));
            }
            final long at = Math.max(ends.end_s(i), now_s);
            final boolean moreEndThen = i + 1 < ends.end() && Math.max(ends.end_s(i + 1), now_s) == at;
            if (!moreEndThen && head.cores() <= room.idle() && room.fits(head.job())) {
                room.take(head.job());
                return new Shadow(at, room);
            }
        }
        throw new IllegalStateException(head.job().job() + " fits when everything has ended, but at no end");
    }

    /** The room when everything that runs has ended. */
    static Room emptied(final Ledger ledger) {
        final Room room = ledger.room.copy();
        final RunningEnds ends = ledger.ends;
        for (int i = ends.first(); i < ends.end(); i++) {
            if (room.isAnonymous()) {
                room.change(ends.cores(i));
            } else {
                room.give(ends.at(i));
            }
        }
        return room;
    }
}
