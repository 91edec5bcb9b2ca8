package io.millrace.agent.domain;

import io.millrace.model.array.ArrayIndices;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;

/** The cores that a running reclaim frees are reserved for its beneficiary. */
public final class ReclaimClaim {

    private ReclaimClaim() {}

    /** Idle cores that a running reclaim needs for its beneficiary, in addition to the cores its victims still occupy. */
    public static int of(final Action.Reclaim reclaim, final LiveCluster live) {
        return Math.max(0, neededCores(reclaim, live) - victimsCores(reclaim, live));
    }

    /** Cores that the beneficiary, or those of its named tasks that still wait, need in total; 0 if it does not wait. */
    public static int neededCores(final Action.Reclaim reclaim, final LiveCluster live) {
        final JobObserved beneficiary = live.job(reclaim.beneficiary());
        if (beneficiary == null || !beneficiary.state().isWaiting()) {
            return 0;
        }
        final String tasks = reclaim.tasks();
        final int count = tasks == null
                ? 1
                : ArrayIndices.set(ArrayIndices.both(tasks, live.waitingTasks(reclaim.beneficiary())))
                        .cardinality();
        return count * beneficiary.resources().cores();
    }

    /** Cores that the victims occupy now. */
    public static int victimsCores(final Action.Reclaim reclaim, final LiveCluster live) {
        return reclaim.victims().stream()
                .map(live::job)
                .filter(job -> job != null && job.state().occupiesCores())
                .mapToInt(job -> job.resources().cores())
                .sum();
    }
}
