package io.millrace.model.cluster;

import io.millrace.model.ClusterId;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of a cluster.
 *
 * @param total what the node has
 * @param free what is not allocated now; zero if the node is not {@link Availability#UP}
 * @param reason why it is drained or down, null if it is up
 * @param features words that jobs may ask for, sorted
 * @param partitions the partitions it belongs to, sorted
 */
public record NodeObserved(
        ClusterId cluster,
        NodeName node,
        Availability availability,
        Resources total,
        Resources free,
        @Nullable String reason,
        List<String> features,
        List<PartitionName> partitions)
        implements ClusterStateEvent {

    public NodeObserved {
        features = List.copyOf(features);
        partitions = List.copyOf(partitions);
    }

    /** Whether new work may be placed on the node. */
    public enum Availability {
        UP,
        /** Finishes what runs, takes nothing new. */
        DRAINED,
        DOWN,
        UNKNOWN
    }

    public static String keyOf(final ClusterId cluster, final NodeName node) {
        return new ClusterStateKey.Node(cluster, node).toString();
    }

    @Override
    public String key() {
        return keyOf(cluster, node);
    }
}
