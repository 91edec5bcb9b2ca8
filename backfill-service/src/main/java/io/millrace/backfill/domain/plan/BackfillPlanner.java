package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.RunTimeHistory;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import java.util.List;

/**
 * Decides which waiting jobs start now, which reservations the others hold, and which running jobs are preempted when a reservation is due.
 * FCFS, EASY, conservative and checkpoint backfill are settings of its policy. Pure: the same queue, policy, history and time give the same
 * schedule, and nothing is kept between calls.
 */
public final class BackfillPlanner {

    private BackfillPlanner() {}

    /**
     * @param history run times of ended jobs, for policies that estimate from them
     * @param now_s whole seconds since the epoch, or since any other start that all times share
     */
    public static Schedule plan(
            final QueueSnapshot queue, final BackfillPolicy policy, final RunTimeHistory history, final long now_s) {
        return plan(new Pass(queue, policy, history, now_s));
    }

    static Schedule plan(final Pass pass) {
        if (pass.waiting().size() == 0) {
            return pass.schedule(List.of(), ShadowTime.NEVER);
        }
        if (pass.policy().reservations() == BackfillPolicy.ALL) {
            return new ConservativeBackfill(pass).schedule();
        }
        return pass.hasProfile() ? new MultiReservationBackfill(pass).schedule() : new EasyBackfill(pass).schedule();
    }

    /** A plan without past runs. */
    public static Schedule plan(final QueueSnapshot queue, final BackfillPolicy policy, final long now_s) {
        return plan(queue, policy, new RunTimeHistory(), now_s);
    }
}
