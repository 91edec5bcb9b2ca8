package io.millrace.backfill.domain.planner;

import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.ShadowTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Preempts jobs that run on a shrunk estimate when the head job's reservation is due and capacity is missing. One object per pass. */
final class HeadPreemption {
    private final PlannerState state;
    private final @Nullable CheckpointPreemptionPolicy policy;
    private final long now_s;
    private List<PlannedJob> victims = List.of();
    private boolean underWay;

    HeadPreemption(final PlannerState state, final long now_s) {
        this.state = state;
        this.policy = state.policy().preemption();
        this.now_s = now_s;
    }

    /** The backfill window of the head job, after the preemptions that are due. */
    BackfillWindow windowFor(final PlannedJob head) {
        if (policy == null) {
            return BackfillWindow.of(state, head, now_s);
        }
        final BackfillWindow current = BackfillWindow.afterCheckpoints(state, policy, head, now_s);
        if (current != null) {
            underWay = true;
            return current;
        }
        final BackfillWindow window = BackfillWindow.of(state, head, now_s);
        if (window.shadow_s() - policy.lead_s() > now_s) {
            return window;
        }
        victims = VictimSelection.preempt(state, policy, head, window, now_s);
        final BackfillWindow after =
                victims.isEmpty() ? null : BackfillWindow.afterCheckpoints(state, policy, head, now_s);
        underWay = after != null;
        return after == null ? window : after;
    }

    /** Jobs that this pass preempts. */
    List<PlannedJob> victims() {
        return victims;
    }

    /**
     * Whether checkpoints are being written for the head job. A job that starts on a shrunk estimate now would have to be preempted after
     * these, and the head job would wait for one more checkpoint.
     */
    boolean isUnderWay() {
        return underWay;
    }

    /** When the next preemption may be due; {@link ShadowTime#NEVER} if only an event can change the decisions. */
    long replanAt_s(final long shadow_s) {
        if (policy == null || shadow_s >= ShadowTime.NEVER) {
            return ShadowTime.NEVER;
        }
        final long due_s = shadow_s - policy.lead_s();
        return due_s > now_s ? due_s : Math.max(shadow_s, now_s + 1);
    }
}
