package io.millrace.backfill.domain;

import io.millrace.model.JobKey;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Remembers who lost a reservation to guaranteed work, so that the displaced can be told (promise 5). */
public final class Displacements {

    private final Map<JobKey, JobKey> byJob = new HashMap<>();
    private @Nullable QueuedJob head;

    /** Takes the next schedule of the same cluster. */
    public void note(final Schedule schedule) {
        final Set<JobKey> waiting = new HashSet<>();
        schedule.waiting().forEach(job -> waiting.add(job.job()));
        final Reservation reservation = schedule.reservation();
        final QueuedJob next = reservation == null ? null : reservation.head();
        if (head != null && next != null && !head.guaranteed() && next.guaranteed() && waiting.contains(head.job())) {
            byJob.put(head.job(), next.job());
        }
        head = next;
        byJob.entrySet()
                .removeIf(lost -> !waiting.contains(lost.getKey())
                        || !waiting.contains(lost.getValue())
                        || next != null && next.job().equals(lost.getKey()));
    }

    /** To whom, by the job that lost its reservation; only while both wait. */
    public Map<JobKey, JobKey> byJob() {
        return Collections.unmodifiableMap(byJob);
    }
}
