package io.millrace.quota.domain;

import java.util.Comparator;

/** Which of the jobs that may be taken is taken first. */
public enum VictimOrder {
    /** What has run shortest loses least. */
    NEWEST_FIRST(Comparator.comparing(Occupant::since).reversed()),
    OLDEST_FIRST(Comparator.comparing(Occupant::since)),
    FEWEST_CORES_FIRST(Comparator.comparingInt(Occupant::cores)),
    MOST_CORES_FIRST(Comparator.comparingInt(Occupant::cores).reversed());

    private final Comparator<Occupant> order;

    VictimOrder(final Comparator<Occupant> order) {
        // Ties go to the later submission, so that the same cluster always gives the same victims.
        this.order = order.thenComparing(
                Comparator.comparing(Occupant::job, JobOrder.BY_SUBMISSION).reversed());
    }

    Comparator<Occupant> comparator() {
        return order;
    }
}
