package io.millrace.submit.domain.submission;

import io.millrace.decide.ClusterOffering;
import io.millrace.decide.JobEligibility;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.SiteMappingObserved;
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

    /** Which jobs can run there at all. */
    JobEligibility eligibility() {
        return JobEligibility.of(partitions, new ClusterOffering(nodes, siteMapping, conditions), marker.total());
    }

    SiteMappingObserved mapping() {
        return siteMapping == null ? SiteMappingObserved.none(name()) : siteMapping;
    }

    ClusterId name() {
        return marker.cluster();
    }
}
