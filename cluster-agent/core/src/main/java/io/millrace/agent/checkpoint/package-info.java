/**
 * Checkpoints of running jobs: by the application itself or by the workload manager.
 *
 * <p>After a checkpoint the job is requeued and held, with the rest of its walltime. Checkpoints are recorded on disk before the job loses
 * its cores, so that the end of the run can be published correctly after a crash.
 */
@NullMarked
package io.millrace.agent.checkpoint;

import org.jspecify.annotations.NullMarked;
