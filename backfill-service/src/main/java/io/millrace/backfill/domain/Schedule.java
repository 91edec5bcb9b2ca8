package io.millrace.backfill.domain;

import io.millrace.backfill.domain.capacity.FreeCapacity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of one planning pass.
 *
 * @param starts in the order in which they should be executed
 * @param preemptions jobs to checkpoint or requeue now so that the head job can start
 * @param reservations of the first jobs that cannot start, in order; as many as the policy keeps, at least that of the head job
 * @param waiting the jobs that go on waiting, in order, without arrays of which a task starts
 * @param free what is free after the starts
 * @param replanAt when a decision may become due without any event; not foreseeable if none will
 */
public record Schedule(
        List<Start> starts,
        List<CheckpointPreemption> preemptions,
        List<Reservation> reservations,
        List<WaitingJob> waiting,
        FreeCapacity free,
        ShadowTime replanAt) {

    /** The head job's reservation; null if no job waits. */
    public @Nullable Reservation reservation() {
        return reservations.isEmpty() ? null : reservations.getFirst();
    }
}
