package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.CheckpointPreemptionPolicy;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.WaitingJob;

/**
 * The window of the head job, after the preemptions that are due: jobs that run on a shrunk estimate are preempted when its reservation is due
 * and capacity is missing.
 *
 * @param isUnderWay whether checkpoints are being written for the head job. A job that starts on a shrunk estimate now would have to be
 *     preempted after these, and the head job would wait for one more checkpoint
 * @param replanAt_s when the next preemption may be due; {@link ShadowTime#NEVER} if only an event can change the decisions
 */
record HeadPreemption(BackfillWindow window, boolean isUnderWay, long replanAt_s) {

    /** Records the victims in the pass. */
    static HeadPreemption of(final Pass pass, final WaitingJob head) {
        final CheckpointPreemptionPolicy policy = pass.policy().preemption();
        if (policy == null) {
            return new HeadPreemption(BackfillWindow.of(pass, head), false, ShadowTime.NEVER);
        }
        final BackfillWindow current =
                head.isBeneficiary() ? BackfillWindow.afterCheckpoints(pass, policy, head) : null;
        if (current != null) {
            return of(pass, policy, current, true);
        }
        final BackfillWindow window = BackfillWindow.of(pass, head);
        if (window.shadow_s() - policy.lead_s() > pass.now_s()
                || !VictimSelection.preempt(pass, policy, head, window)) {
            return of(pass, policy, window, false);
        }
        final BackfillWindow after = BackfillWindow.afterCheckpoints(pass, policy, head);
        return after == null ? of(pass, policy, window, false) : of(pass, policy, after, true);
    }

    private static HeadPreemption of(
            final Pass pass,
            final CheckpointPreemptionPolicy policy,
            final BackfillWindow window,
            final boolean isUnderWay) {
        final long due_s = window.shadow_s() - policy.lead_s();
        final long next_s = due_s > pass.now_s() ? due_s : Math.max(window.shadow_s(), pass.now_s() + 1);
        return new HeadPreemption(
                window, isUnderWay, window.shadow_s() >= ShadowTime.NEVER ? ShadowTime.NEVER : next_s);
    }
}
