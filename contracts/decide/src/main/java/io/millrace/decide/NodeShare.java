package io.millrace.decide;

/**
 * What a job has, or would have, on one node.
 *
 * @param node its index among {@link Nodes}
 */
public record NodeShare(int node, int cores, long memoryMib, int gpus) {}
