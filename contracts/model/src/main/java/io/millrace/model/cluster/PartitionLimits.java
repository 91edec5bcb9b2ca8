package io.millrace.model.cluster;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a partition asks of a single job, beside its walltime.
 *
 * @param accepts whether jobs may be handed in, also while none is started
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
