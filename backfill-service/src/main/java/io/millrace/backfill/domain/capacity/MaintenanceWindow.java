package io.millrace.backfill.domain.capacity;

import io.millrace.backfill.domain.ShadowTime;
import io.millrace.decide.Nodes;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.Maintenance;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A period in which cores are unavailable: maintenance or an advance reservation. A window without nodes withholds cores on unknown nodes,
 * unless it withholds all cores of the cluster or of its partition.
 *
 * @param from_s begin, seconds since the epoch
 * @param until_s end, seconds since the epoch; {@link ShadowTime#NEVER} if open
 * @param cores withheld cores; the number of nodes if nodes are named
 * @param partition whose cores are withheld; null: those of the whole cluster
 * @param nodes withheld as a whole with their memory and GPUs; empty if none are named
 * @param reason shown to waiting jobs
 */
public record MaintenanceWindow(
        long from_s, long until_s, int cores, @Nullable PartitionName partition, List<NodeName> nodes, String reason) {

    /**
     * A window that the workload manager reports.
     *
     * @param clusterCores withheld if it names no nodes
     */
    public static MaintenanceWindow of(final Maintenance reported, final int clusterCores) {
        return new MaintenanceWindow(
                reported.from().getEpochSecond(),
                reported.until().getEpochSecond(),
                reported.nodes().isEmpty() ? clusterCores : reported.nodes().size(),
                null,
                reported.nodes(),
                "maintenance '" + reported.name() + "'");
    }

    /** Indexes of the nodes that it withholds: those it names, or all nodes of its partition or cluster if it withholds all their cores. */
    public List<Integer> closedNodes(final Nodes known) {
        if (!nodes.isEmpty()) {
            return nodes.stream().map(known::index).filter(node -> node >= 0).toList();
        }
        final List<Integer> all = known.in(partition);
        return all.stream().mapToInt(known::cores).sum() <= cores ? all : List.of();
    }

    public MaintenanceWindow {
        nodes = List.copyOf(nodes);
        if (cores < 1 || from_s >= until_s) {
            throw new IllegalArgumentException(
                    "maintenance window '" + reason + "' must withhold at least 1 core and end after it begins; got "
                            + cores + " cores from " + from_s + " until " + until_s);
        }
    }
}
