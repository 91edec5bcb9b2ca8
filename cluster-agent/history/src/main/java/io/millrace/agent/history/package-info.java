/**
 * Import of history: reads accounting files of workload managers and writes ended runs as JSON lines, in the format of
 * {@code millrace.job-ends}.
 *
 * <p>The readers of Slurm, PBS, Torque and LSF belong to their adapters; those of HTCondor, Cleo and SWF are here, because Millrace has no
 * adapter for them. An import keeps no record in memory, so its size is limited by the disk only.
 */
@NullMarked
package io.millrace.agent.history;

import org.jspecify.annotations.NullMarked;
