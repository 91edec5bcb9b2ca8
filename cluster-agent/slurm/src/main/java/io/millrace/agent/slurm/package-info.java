/**
 * The adapter for Slurm 22.05 and newer, through its command-line tools. {@link io.millrace.agent.slurm.Slurm} implements the
 * capabilities by the classes of this package: holds, starts, partitions and walltimes.
 *
 * <p>Packages: {@code command} changes a cluster, {@code query} reads jobs, nodes and settings, {@code accounting} reads ended runs,
 * {@code qos} enforces quotas, and {@code format} parses Slurm's notations. Each command line is one class with a pure {@code argv()}
 * and a pure {@code read(result)}.
 */
@NullMarked
package io.millrace.agent.slurm;

import org.jspecify.annotations.NullMarked;
