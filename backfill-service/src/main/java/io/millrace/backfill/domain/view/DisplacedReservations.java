package io.millrace.backfill.domain.view;

import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.Reservation;
import io.millrace.backfill.domain.Schedule;
import io.millrace.model.JobKey;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Records which jobs lost their reservation to guaranteed work, so that their plans can state it (promise 5). */
public final class DisplacedReservations {

    private final Map<JobKey, JobKey> displacers = new HashMap<>();
    private @Nullable QueuedJob head;

    /** Compares the next schedule with the last one. @param waits whether a job still waits once the schedule is executed */
    public void update(final Schedule schedule, final Predicate<JobKey> waits) {
        final Reservation reservation = schedule.reservation();
        final QueuedJob next = reservation == null ? null : reservation.head();
        if (head != null && next != null && !head.guaranteed() && next.guaranteed() && waits.test(head.job())) {
            displacers.put(head.job(), next.job());
        }
        head = next;
        displacers
                .entrySet()
                .removeIf(lost -> !waits.test(lost.getKey())
                        || !waits.test(lost.getValue())
                        || next != null && next.job().equals(lost.getKey()));
    }

    /** The displacing job by job that lost its reservation, while both wait. */
    public Map<JobKey, JobKey> displacers() {
        return Collections.unmodifiableMap(displacers);
    }
}
