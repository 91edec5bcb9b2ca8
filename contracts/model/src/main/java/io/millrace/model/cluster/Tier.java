package io.millrace.model.cluster;

/** How a workload manager that preempts by itself treats a job (UPQPP, paper 1, section 1.2). */
public enum Tier {
    /** Within its owner's quota: not preempted for others. */
    GUARANTEED,
    /** Beyond it: may be taken off its cores by guaranteed work. */
    BORROWED
}
