package io.millrace.backfill.domain;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;

/**
 * The decision to preempt a backfilled job, because its cores are reserved for the head job.
 *
 * @param job the victim
 * @param cores that it releases
 * @param keepsWork whether it resumes from a checkpoint; otherwise it starts again from the beginning
 * @param beneficiary the reservation of the head job
 */
public record CheckpointPreemption(JobKey job, int cores, boolean keepsWork, Reservation beneficiary) {

    /** A checkpoint by the job's own method, or a requeue if it has none. */
    public static Action actionFor(final JobObserved job) {
        return job.checkpoint() instanceof CheckpointMethod.None
                ? new Action.Requeue(job.job())
                : new Action.Checkpoint(job.job(), job.checkpoint());
    }

    /** The reason as a sentence with numbers. */
    public String reason() {
        return (keepsWork ? "checkpointed: " : "requeued: ") + cores + " cores are reserved for "
                + beneficiary.head().job().id() + " at " + beneficiary.shadow();
    }
}
