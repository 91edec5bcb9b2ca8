package io.millrace.quota.domain.preemption;

import io.millrace.model.JobKey;
import java.util.Comparator;
import java.util.function.ToLongFunction;

/** The order in which jobs are preempted. */
public enum VictimOrder {
    /** The job that has run for the shortest time. */
    NEWEST_FIRST,
    OLDEST_FIRST,
    FEWEST_CORES_FIRST,
    MOST_CORES_FIRST,
    /** Fewest core-seconds of work lost by the mode of the job; a restored job lost nothing before its checkpoint. */
    LEAST_LOSS,
    /** The smallest job that alone is enough; if there is none, the largest (the published OpenPBS scheduler, section 1.2.1). */
    SMALLEST_SUFFICIENT_FIRST;

    /** Ties: the later submission first, so that the result is deterministic. */
    private static final Comparator<AllocatedJob> TIES =
            Comparator.comparing(AllocatedJob::job, JobKey.BY_SUBMISSION).reversed();

    /** The order without losses; for orders other than {@link #LEAST_LOSS}. */
    public Comparator<AllocatedJob> comparator() {
        return comparator(job -> 0);
    }

    /** @param loss_core_s work that a job loses if it is preempted, in core-seconds */
    public Comparator<AllocatedJob> comparator(final ToLongFunction<AllocatedJob> loss_core_s) {
        final Comparator<AllocatedJob> order = switch (this) {
            case NEWEST_FIRST -> Comparator.comparing(AllocatedJob::since).reversed();
            case OLDEST_FIRST -> Comparator.comparing(AllocatedJob::since);
            case FEWEST_CORES_FIRST -> Comparator.comparingInt(AllocatedJob::cores);
            case MOST_CORES_FIRST ->
                Comparator.comparingInt(AllocatedJob::cores).reversed();
            case LEAST_LOSS -> Comparator.comparingLong(loss_core_s);
            case SMALLEST_SUFFICIENT_FIRST -> Comparator.comparingInt(AllocatedJob::cores);
        };
        return order.thenComparing(TIES);
    }

    /** Whether the order stays the same while victims are chosen. */
    public boolean isFixed() {
        return this != SMALLEST_SUFFICIENT_FIRST;
    }
}
