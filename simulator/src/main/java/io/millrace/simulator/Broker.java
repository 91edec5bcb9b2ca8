package io.millrace.simulator;

import java.util.List;

/** Assigns jobs to clusters while the simulation runs, and moves them while they wait. Clusters are numbered as in the scenario. */
public interface Broker {

    /** The job enters the queue of a cluster. */
    record Assignment(SimulatedJob job, int cluster) {}

    /**
     * What happens now.
     *
     * @param withdrawn jobs that leave the queue of their cluster; executed before the assignments
     * @param againAt_s when to ask again without an event; {@link Long#MAX_VALUE} for never
     */
    record Decisions(List<SimulatedJob> withdrawn, List<Assignment> assigned, long againAt_s) {}

    /** A job was submitted to its own cluster; it waits until it is assigned. */
    void submitted(SimulatedJob job, int home, long now_s);

    void started(SimulatedJob job, long now_s);

    void ended(SimulatedJob job, long now_s);

    /** Asked when the events of a second and the decisions of the clusters about them have happened. */
    Decisions decide(long now_s);
}
