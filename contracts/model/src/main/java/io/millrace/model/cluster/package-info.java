/**
 * What a cluster looks like: jobs, nodes, partitions and the revision that closes each batch of observations.
 *
 * <p>Decides nothing. Written by the cluster's agent alone to {@code millrace.cluster-state} (compacted) and
 * {@code millrace.job-ends}; read by every decider. States are reported by the workload manager, never assumed.
 */
@NullMarked
package io.millrace.model.cluster;

import org.jspecify.annotations.NullMarked;
