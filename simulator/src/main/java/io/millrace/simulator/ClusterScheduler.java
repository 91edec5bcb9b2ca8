package io.millrace.simulator;

import java.util.List;

/**
 * What decides on a virtual cluster: an adapter to a service's own planner. The cluster tells it what happens and asks it when the event order
 * says so; what it orders, the cluster carries out.
 */
public interface ClusterScheduler {

    /**
     * A job to take off its cores.
     *
     * @param keepsWork whether by a checkpoint; else it starts again from nothing
     */
    record CutOff(SimulatedJob job, boolean keepsWork, long checkpoint_s, long restart_s) {}

    /**
     * What is to be done now.
     *
     * @param cutOffs whose cores are free when their checkpoints are written
     * @param lookAgain_s when to ask again though nothing has happened; {@link Long#MAX_VALUE} for never
     */
    record Orders(List<SimulatedJob> starts, List<CutOff> cutOffs, long lookAgain_s) {
        public static final Orders NONE = new Orders(List.of(), List.of(), Long.MAX_VALUE);
    }

    /** A job waits, for the first time or again after it was cut. */
    void submitted(SimulatedJob job, long now_s);

    /** A job has left its cores at its own end. */
    void ended(SimulatedJob job, long now_s);

    /** A job has left its cores, cut off; {@link #submitted} follows. */
    void cutOff(SimulatedJob job, long now_s);

    /** Cores have come or (if negative) gone. */
    void coresChanged(int by, long now_s);

    Orders decide(long now_s);

    /** Whether the job would start at once if nobody waited before it: by what the scheduler holds free. */
    boolean hasRoomFor(SimulatedJob job, long now_s);

    /** Whether the job was started before its turn; asked when it starts. */
    boolean startedBeforeTurn(SimulatedJob job);
}
