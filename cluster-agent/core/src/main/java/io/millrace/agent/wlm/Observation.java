package io.millrace.agent.wlm;

import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import java.time.Instant;
import java.util.List;

/**
 * One consistent observation of a workload manager.
 *
 * @param at clock of the agent before the queries
 * @param control who starts jobs at this moment
 * @param jobs everything in the queue; ended jobs that the workload manager still lists are left out
 */
public record Observation(
        Instant at,
        Control control,
        List<JobObserved> jobs,
        List<NodeObserved> nodes,
        List<PartitionObserved> partitions) {

    public Observation {
        jobs = List.copyOf(jobs);
        nodes = List.copyOf(nodes);
        partitions = List.copyOf(partitions);
    }
}
