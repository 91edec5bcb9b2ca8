package io.millrace.backfill.domain;

import io.millrace.model.JobKey;

/**
 * A job that overtook is cut: its cores are due to the head job.
 *
 * @param job who is cut
 * @param cores that it frees
 * @param keepsWork whether it goes on from a checkpoint; else it starts again from nothing
 * @param due for whom, and since when
 */
public record Cut(JobKey job, int cores, boolean keepsWork, Reservation due) {

    /** One sentence with the figures. */
    public String reason() {
        return (keepsWork ? "checkpointed: " : "requeued: ") + cores + " cores are due to "
                + due.head().job().id() + " at " + due.shadow();
    }
}
