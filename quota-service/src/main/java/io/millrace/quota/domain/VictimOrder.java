package io.millrace.quota.domain;

import io.millrace.model.JobKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;

/** Which of the jobs that may be taken is taken first. */
public enum VictimOrder {
    /** What has run shortest loses least. */
    NEWEST_FIRST,
    OLDEST_FIRST,
    FEWEST_CORES_FIRST,
    MOST_CORES_FIRST,
    /** Fewest core-seconds of work since its start; a run that goes on from a checkpoint began with it. */
    LEAST_LOSS,
    /** The smallest job that alone is enough; while none is, the largest (the published OpenPBS scheduler, section 1.2.1). */
    SMALLEST_SUFFICIENT_FIRST;

    /** Ties go to the later submission, so that the same cluster always gives the same victims. */
    private static final Comparator<Occupant> TIES =
            Comparator.comparing(Occupant::job, JobKey.BY_SUBMISSION).reversed();

    /**
     * @param missing cores that are still to be freed
     */
    Comparator<Occupant> comparator(final Instant now, final long missing) {
        final Comparator<Occupant> order = switch (this) {
            case NEWEST_FIRST -> Comparator.comparing(Occupant::since).reversed();
            case OLDEST_FIRST -> Comparator.comparing(Occupant::since);
            case FEWEST_CORES_FIRST -> Comparator.comparingInt(Occupant::cores);
            case MOST_CORES_FIRST -> Comparator.comparingInt(Occupant::cores).reversed();
            case LEAST_LOSS -> Comparator.comparingLong(occupant -> loss(occupant, now));
            case SMALLEST_SUFFICIENT_FIRST ->
                Comparator.comparingLong(occupant ->
                        occupant.cores() >= missing ? occupant.cores() - missing : Long.MAX_VALUE - occupant.cores());
        };
        return order.thenComparing(TIES);
    }

    /** Whether the order stays the same while victims are chosen. */
    boolean isFixed() {
        return this != SMALLEST_SUFFICIENT_FIRST;
    }

    private static long loss(final Occupant occupant, final Instant now) {
        return occupant.cores()
                * Math.max(0, Duration.between(occupant.since(), now).toSeconds());
    }
}
