package io.millrace.model.cluster;

import java.util.Set;

/** By what a cluster's quotas are kept (Q-27; paper 1, sections 1.2.1 to 1.2.4). */
public enum Enforcement {
    /** Millrace takes jobs beyond their owner's quota off their cores. */
    RECLAIM,
    /** The workload manager preempts borrowed work, and knows each user's cores: Slurm by QoS. */
    TIERS_AND_LIMITS,
    /** The workload manager preempts borrowed work, which Millrace tells it: LSF by two queues. */
    TIERS,
    /** The workload manager knows each user's cores, Millrace takes jobs off them: PBS Pro by soft limits. */
    LIMITS_AND_RECLAIM,
    /** The workload manager knows each user's cores, and nobody takes jobs off them. */
    LIMITS,
    /** Nothing keeps them here; they decide priorities alone. */
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

    /** Whether the workload manager is told each user's cores. */
    public boolean byLimits() {
        return this == TIERS_AND_LIMITS || this == LIMITS_AND_RECLAIM || this == LIMITS;
    }
}
