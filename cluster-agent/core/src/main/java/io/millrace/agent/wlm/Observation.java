package io.millrace.agent.wlm;

import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * One consistent observation of a workload manager.
 *
 * @param at clock of the agent before the queries
 * @param control who starts jobs at this moment
 * @param jobs everything in the queue, with the free slots of limited arrays; ended jobs that the workload manager still lists are left out
 * @param unreadable local ids of listed jobs that the adapter could not read; they are shown as last published
 */
public record Observation(
        Instant at,
        Control control,
        List<JobObserved> jobs,
        List<NodeObserved> nodes,
        List<PartitionObserved> partitions,
        Set<String> unreadable) {

    public Observation(
            final Instant at,
            final Control control,
            final List<JobObserved> jobs,
            final List<NodeObserved> nodes,
            final List<PartitionObserved> partitions) {
        this(at, control, jobs, nodes, partitions, Set.of());
    }

    public Observation {
        jobs = List.copyOf(ArrayLimits.applied(jobs));
        nodes = List.copyOf(nodes);
        partitions = List.copyOf(partitions);
        unreadable = Set.copyOf(unreadable);
    }
}
