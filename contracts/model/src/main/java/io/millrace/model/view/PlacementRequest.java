package io.millrace.model.view;

import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.Placement;
import org.jspecify.annotations.Nullable;

/**
 * What a job requests of the nodes of a cluster.
 *
 * @param partition the partition it must run in; null: any
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

    /** Whether nodes of the same size are interchangeable: the job requests only cores and a number of nodes. */
    boolean isPlain() {
        return resources.memoryMib() == 0
                && resources.gpus() == 0
                && placement.features().isEmpty()
                && placement.nodes().isEmpty()
                && placement.coresPerNode() == 0
                && !placement.exclusive();
    }
}
