package io.millrace.backfill.domain.planner;

import io.millrace.backfill.domain.job.CheckpointPreemption;
import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.Reservation;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.backfill.domain.job.Start;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of one planning pass as values.
 *
 * @param starts in the order in which they should be executed
 * @param preemptions jobs to checkpoint or requeue now so that the head job can start
 * @param reservations of the first jobs that cannot start, in order; as many as the policy keeps, at least that of the head job
 * @param waiting all waiting jobs in order; a view of the planner's state, valid until it changes
 * @param replanAt when a decision may become due without any event; not foreseeable if none will
 */
public record Schedule(
        List<Start> starts,
        List<CheckpointPreemption> preemptions,
        List<Reservation> reservations,
        Collection<QueuedJob> waiting,
        ShadowTime replanAt) {

    /** The head job's reservation; null if no job waits. */
    public @Nullable Reservation reservation() {
        return reservations.isEmpty() ? null : reservations.getFirst();
    }
}
