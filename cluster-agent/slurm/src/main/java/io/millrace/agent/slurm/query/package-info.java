/**
 * Queries of the current state: {@code squeue}, {@code sinfo} and {@code scontrol show}, and their conversion to observations.
 *
 * <p>The kind of a job's hold is in its AdminComment ({@link io.millrace.agent.slurm.query.AdminCommentMark}), which the job's owner
 * cannot change. {@code deploy/slurm/job_submit.lua} writes the mark at submission, the agent afterwards.
 */
@NullMarked
package io.millrace.agent.slurm.query;

import org.jspecify.annotations.NullMarked;
