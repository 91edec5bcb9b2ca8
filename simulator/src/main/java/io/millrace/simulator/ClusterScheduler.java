package io.millrace.simulator;

import java.util.List;

/**
 * The scheduler of a virtual cluster: an adapter to a service's planner. The cluster reports events to it, requests decisions when the event
 * order requires them, and executes them.
 */
public interface ClusterScheduler {

    /**
     * A job to preempt.
     *
     * @param keepsWork whether it is checkpointed; otherwise it starts again from the beginning
     */
    record Preemption(SimulatedJob job, boolean keepsWork, long checkpoint_s, long restart_s) {}

    /**
     * Decisions to execute now.
     *
     * @param preemptions their cores are free when the checkpoints are written
     * @param replanAt_s when to request decisions again without an event; {@link Long#MAX_VALUE} for never
     */
    record Decisions(List<SimulatedJob> starts, List<Preemption> preemptions, long replanAt_s) {
        public static final Decisions NONE = new Decisions(List.of(), List.of(), Long.MAX_VALUE);
    }

    /** A job waits, for the first time or after a preemption. */
    void submitted(SimulatedJob job, long now_s);

    /** A job left the queue without a start. */
    default void withdrawn(final SimulatedJob job) {
        throw new IllegalStateException("this scheduler cannot give up job " + job.id());
    }

    /** A job has ended. */
    void ended(SimulatedJob job, long now_s);

    /** A job was preempted and has released its cores; {@link #submitted} follows. */
    void preempted(SimulatedJob job, long now_s);

    /** Cores were added or, if negative, removed. */
    void coresChanged(int by, long now_s);

    Decisions decide(long now_s);

    /** Whether the job fits the free cores, as the scheduler counts them. */
    boolean hasRoomFor(SimulatedJob job, long now_s);

    /** Whether the job was backfilled; called when it starts. */
    boolean startedBeforeTurn(SimulatedJob job);
}
