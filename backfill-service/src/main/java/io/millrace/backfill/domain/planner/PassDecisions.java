package io.millrace.backfill.domain.planner;

import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.Reservation;
import io.millrace.backfill.domain.job.ShadowTime;
import java.util.List;

/**
 * The decisions of one pass of {@link BackfillPlanner}, already applied to its state.
 *
 * @param started jobs to start now, in this order; {@link PlannedJob#decision()} has the reason
 * @param preempted running jobs to checkpoint or requeue now, for the first reservation
 * @param reservations of jobs that cannot start, the head job's first; empty if there are none
 * @param replanAt_s when a decision may become due without any event; {@link ShadowTime#NEVER} if none will
 */
public record PassDecisions(
        List<PlannedJob> started, List<PlannedJob> preempted, List<Reservation> reservations, long replanAt_s) {

    static final PassDecisions NOTHING = new PassDecisions(List.of(), List.of(), List.of(), ShadowTime.NEVER);
}
