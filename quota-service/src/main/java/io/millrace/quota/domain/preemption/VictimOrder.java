package io.millrace.quota.domain.preemption;

import io.millrace.model.JobKey;
import java.util.Comparator;
import java.util.function.ToLongFunction;

/** Which of the jobs that may be taken is taken first. */
public enum VictimOrder {
    /** What has run shortest loses least. */
    NEWEST_FIRST,
    OLDEST_FIRST,
    FEWEST_CORES_FIRST,
    MOST_CORES_FIRST,
    /** Fewest core-seconds of work lost by the way it would leave; a run that goes on from a checkpoint began with it. */
    LEAST_LOSS,
    /** The smallest job that alone is enough; while none is, the largest (the published OpenPBS scheduler, section 1.2.1). */
    SMALLEST_SUFFICIENT_FIRST;

    /** Ties go to the later submission, so that the same cluster always gives the same victims. */
    private static final Comparator<AllocatedJob> TIES =
            Comparator.comparing(AllocatedJob::job, JobKey.BY_SUBMISSION).reversed();

    /** An order that asks for no losses. */
    public Comparator<AllocatedJob> comparator() {
        return comparator(job -> 0);
    }

    /** @param loss_core_s work that a job loses if it is taken */
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
