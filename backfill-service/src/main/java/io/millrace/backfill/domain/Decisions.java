package io.millrace.backfill.domain;

import java.util.List;

/**
 * What one pass of {@link BackfillPlanner} decided, already true in its books.
 *
 * @param started jobs that start now, in the order in which they should; why, says {@link PlannedJob#decision()}
 * @param cut jobs that run and are to be checkpointed (or requeued) now, for the sake of the first reservation
 * @param reservations of the jobs that cannot start, the head's first; none if none is kept
 * @param lookAgain_s when time alone changes what there is to decide; {@link ShadowTime#NEVER} if only news can
 */
public record Decisions(
        List<PlannedJob> started, List<PlannedJob> cut, List<Reservation> reservations, long lookAgain_s) {

    static final Decisions NOTHING = new Decisions(List.of(), List.of(), List.of(), ShadowTime.NEVER);
}
