package io.millrace.model.command;

import io.millrace.model.JobKey;

/**
 * A waiting job that a reclaim may preempt if it has started on idle cores that the beneficiary needs.
 *
 * @param ownerQuota cores that the owner's other running jobs must still use, not counting jobs wider than this; a job that is itself wider
 *     needs no others
 */
public record ReserveVictim(JobKey job, int ownerQuota) {}
