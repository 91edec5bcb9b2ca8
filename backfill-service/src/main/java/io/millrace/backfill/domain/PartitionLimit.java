package io.millrace.backfill.domain;

import io.millrace.model.PartitionName;

/**
 * How much of the cluster a partition may use.
 *
 * @param cores that its jobs can have in all
 */
public record PartitionLimit(PartitionName partition, int cores) {}
