package io.millrace.model.view;

import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.Placement;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks of the nodes of a cluster.
 *
 * @param partition on whose nodes it must run; null: any
 */
public record PlacementRequest(
        Resources resources, Placement placement, @Nullable PartitionName partition) {

    public static PlacementRequest of(final JobObserved job) {
        return new PlacementRequest(job.resources(), job.detail().placement(), job.partition());
    }

    /** Cores, and perhaps a number of nodes, anywhere. */
    public static PlacementRequest of(final Resources resources) {
        return new PlacementRequest(resources, Placement.ANYWHERE, null);
    }

    /** Whether one node is as good as another of the same size: nothing but cores and a number of nodes is asked for. */
    boolean isPlain() {
        return resources.memoryMib() == 0
                && resources.gpus() == 0
                && placement.features().isEmpty()
                && placement.nodes().isEmpty()
                && placement.coresPerNode() == 0
                && !placement.exclusive();
    }
}
