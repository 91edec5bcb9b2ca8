package io.millrace.backfill.domain;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one planning pass decided, as values.
 *
 * @param starts in the order in which they should happen
 * @param cuts jobs to checkpoint now so that the head job can start
 * @param reservations of the first jobs that cannot start, in order; as many as the policy keeps, and the head's in any case
 * @param waiting all that wait, in order; as the planner knows them, until it is told something new
 * @param lookAgain when time alone changes what there is to decide; not foreseeable if only news can
 */
public record Schedule(
        List<Start> starts,
        List<Cut> cuts,
        List<Reservation> reservations,
        Collection<QueuedJob> waiting,
        ShadowTime lookAgain) {

    /** Of the head job; null if every job has started. */
    public @Nullable Reservation reservation() {
        return reservations.isEmpty() ? null : reservations.getFirst();
    }
}
