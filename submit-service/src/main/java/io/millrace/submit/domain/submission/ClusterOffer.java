package io.millrace.submit.domain.submission;

import io.millrace.model.ClusterId;
import io.millrace.model.Resources;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.view.ClusterOffering;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster offers to jobs, as its agent published it.
 *
 * @param nodes empty if only the nodes that are up count
 */
public record ClusterOffer(
        RevisionClosed marker,
        List<PartitionObserved> partitions,
        List<NodeObserved> nodes,
        @Nullable SiteMappingObserved siteMapping,
        ClusterConditions conditions) {

    public ClusterOffer {
        partitions = List.copyOf(partitions);
        nodes = List.copyOf(nodes);
    }

    /** Its node features, software and licences. */
    ClusterOffering offering() {
        return new ClusterOffering(nodes, siteMapping, conditions);
    }

    ClusterId name() {
        return marker.cluster();
    }

    /** The resources when all known nodes are up. */
    Resources capacity() {
        final Resources all = nodes.stream().map(NodeObserved::total).reduce(Resources.NONE, Resources::plus);
        return all.cores() > marker.total().cores() ? all : marker.total();
    }
}
