/**
 * Ended runs, from three sources: the completion log that {@code deploy/slurm/jobcomp.lua} writes, the ended jobs that slurmctld keeps,
 * and {@code sacct}.
 *
 * <p>{@link io.millrace.agent.slurm.accounting.RunLookup} finds the runs of known jobs,
 * {@link io.millrace.agent.slurm.accounting.RecentlyEndedJobs} the jobs that were never observed.
 */
@NullMarked
package io.millrace.agent.slurm.accounting;

import org.jspecify.annotations.NullMarked;
