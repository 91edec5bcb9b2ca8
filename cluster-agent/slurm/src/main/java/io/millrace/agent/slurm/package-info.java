/**
 * The adapter for Slurm (22.05 and newer), through its command lines.
 *
 * <p>One class per command line, with a pure {@code argv()} and a pure {@code read(result)}. {@link io.millrace.agent.slurm.Slurm} asks
 * {@code squeue}, {@code sinfo} and {@code scontrol}, each once per picture, and acts by {@code sbatch}, {@code scontrol} and
 * {@code scancel}. Whose hold a job is under stands in the job's AdminComment ({@link io.millrace.agent.slurm.AdminCommentMark}), which its owner
 * cannot change; {@code deploy/slurm/job_submit.lua} writes it when jobs enter, this package afterwards.
 */
@NullMarked
package io.millrace.agent.slurm;

import org.jspecify.annotations.NullMarked;
