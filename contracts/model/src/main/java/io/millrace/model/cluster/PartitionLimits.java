package io.millrace.model.cluster;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a partition for a single job, except the walltime limit.
 *
 * @param accepts whether jobs can be submitted, even if none are started
 * @param minNodes fewest nodes of a job; 0: any
 * @param maxNodes most nodes of a job; null: no limit
 * @param maxCores most cores of a job; null: no limit
 * @param defaultWalltime of a job that states none; null: the longest allowed
 */
public record PartitionLimits(
        boolean accepts,
        int minNodes,
        @Nullable Integer maxNodes,
        @Nullable Integer maxCores,
        @Nullable Duration defaultWalltime) {

    public static final PartitionLimits NONE = new PartitionLimits(true, 0, null, null, null);
}
