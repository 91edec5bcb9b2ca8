package io.millrace.model.policy;

/** Whether a job may run, and whether it may be preempted. */
public enum EntitlementLevel {
    /**
     * Within its owner's quota: takes precedence over a reservation. Preemption never takes the owner below the quota. With jobs of
     * unequal size that may leave the owner another job than this one (Q-5 in the quota guide).
     */
    GUARANTEED,
    /** Beyond the owner's quota: may be preempted when a guaranteed job needs the cores. */
    BORROWED,
    /** Does not start for now. */
    HELD
}
