package io.millrace.backfill.domain.capacity;

import io.millrace.model.PartitionName;

/**
 * How much of the cluster the jobs of a partition may use.
 *
 * @param cores of all its jobs together
 */
public record PartitionLimit(PartitionName partition, int cores) {}
