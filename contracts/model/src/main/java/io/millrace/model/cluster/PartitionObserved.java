package io.millrace.model.cluster;

import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A partition (queue) of a cluster.
 *
 * @param open whether it accepts and starts jobs
 * @param isDefault whether jobs without a partition go here
 * @param cores cores of all its nodes
 * @param walltimeLimit the longest walltime it accepts; null means unlimited
 * @param limits what it asks of a single job
 * @param access who may use it
 */
public record PartitionObserved(
        ClusterId cluster,
        PartitionName partition,
        boolean open,
        boolean isDefault,
        int cores,
        @Nullable Duration walltimeLimit,
        PartitionLimits limits,
        Access access)
        implements ClusterStateEvent {

    public static String keyOf(final ClusterId cluster, final PartitionName partition) {
        return new ClusterStateKey.Partition(cluster, partition).toString();
    }

    @Override
    public String key() {
        return keyOf(cluster, partition);
    }
}
