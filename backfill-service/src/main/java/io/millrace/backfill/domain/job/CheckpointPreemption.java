package io.millrace.backfill.domain.job;

import io.millrace.model.JobKey;

/**
 * The decision to preempt a backfilled job, because its cores are reserved for the head job.
 *
 * @param job the victim
 * @param cores that it releases
 * @param keepsWork whether it resumes from a checkpoint; otherwise it starts again from the beginning
 * @param beneficiary the reservation of the head job
 */
public record CheckpointPreemption(JobKey job, int cores, boolean keepsWork, Reservation beneficiary) {

    /** The reason as a sentence with numbers. */
    public String reason() {
        return (keepsWork ? "checkpointed: " : "requeued: ") + cores + " cores are reserved for "
                + beneficiary.head().job().id() + " at " + beneficiary.shadow();
    }
}
