package io.millrace.decide;

import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.RevisionClosed;
import java.util.Set;

/** How quotas are enforced on a cluster (Q-27; paper 1, sections 1.2.1 to 1.2.4). */
public enum Enforcement {
    /** Millrace preempts jobs beyond their owner's quota. */
    RECLAIM,
    /** The workload manager preempts borrowed work and limits the guaranteed cores of each user: Slurm by QoS. */
    TIERS_AND_LIMITS,
    /** The workload manager preempts work that Millrace marks as borrowed: LSF by two queues. */
    TIERS,
    /** The workload manager knows the quota of each user, and Millrace preempts: PBS Pro by soft limits. */
    LIMITS_AND_RECLAIM,
    /** The workload manager knows the quota of each user, but no preemption takes place. */
    LIMITS,
    /** Quotas are not enforced; they only affect priorities. */
    NONE;

    public static Enforcement of(final RevisionClosed marker) {
        final Set<Capability> can = marker.capabilities();
        final boolean reclaims = can.contains(Capability.RECLAIM);
        if (marker.control() == Control.DIRECTED) {
            return reclaims ? RECLAIM : NONE;
        }
        if (can.contains(Capability.TIER)) {
            return can.contains(Capability.LIMIT) ? TIERS_AND_LIMITS : TIERS;
        }
        if (can.contains(Capability.LIMIT)) {
            return reclaims ? LIMITS_AND_RECLAIM : LIMITS;
        }
        return reclaims ? RECLAIM : NONE;
    }

    /** Whether the workload manager itself preempts borrowed work. */
    public boolean byTiers() {
        return this == TIERS || this == TIERS_AND_LIMITS;
    }

    /** Whether the workload manager knows the quota of each user. */
    public boolean byLimits() {
        return this == TIERS_AND_LIMITS || this == LIMITS_AND_RECLAIM || this == LIMITS;
    }
}
