package io.millrace.model.cluster;

import io.millrace.model.PartitionName;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a site's name for partitions means on one cluster.
 *
 * @param partitions of the cluster, best first
 * @param walltime longest of a job under this name; null: what the partition allows
 * @param cores most of a job; null: what the partition allows
 * @param nodes most of a job; null: what the partition allows
 * @param gpus most of a job; null: what the partition allows
 */
public record SitePartition(
        List<PartitionName> partitions,
        @Nullable Duration walltime,
        @Nullable Integer cores,
        @Nullable Integer nodes,
        @Nullable Integer gpus) {

    public SitePartition {
        partitions = List.copyOf(partitions);
        if (partitions.isEmpty()) {
            throw new IllegalArgumentException("a partition of the site needs at least one partition of the cluster");
        }
    }

    /** Without limits of its own. */
    public static SitePartition of(final PartitionName... partitions) {
        return new SitePartition(List.of(partitions), null, null, null, null);
    }
}
