package io.millrace.backfill.domain;

import io.millrace.model.PartitionName;

/**
 * What a partition allows.
 *
 * @param cores that jobs of this partition may occupy at once
 * @param open whether it starts jobs
 */
public record PartitionLimit(PartitionName partition, int cores, boolean open) {}
