/**
 * Command lines that change a cluster ({@code sbatch}, {@code scontrol}, {@code scancel}, {@code sacctmgr}), and the control file that
 * {@code job_submit.lua} reads.
 *
 * <p>{@link io.millrace.agent.slurm.command.SlurmSite} has the paths and environment of all commands, and
 * {@link io.millrace.agent.slurm.command.SlurmErrors} classifies their errors.
 */
@NullMarked
package io.millrace.agent.slurm.command;

import org.jspecify.annotations.NullMarked;
