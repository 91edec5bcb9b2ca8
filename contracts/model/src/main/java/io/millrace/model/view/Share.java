package io.millrace.model.view;

/**
 * What a job has, or would have, on one node.
 *
 * @param node its index among {@link Nodes}
 */
public record Share(int node, int cores, long memory_mib, int gpus) {}
