package io.millrace.backfill.domain;

import java.util.Comparator;

/** Who comes first. */
public enum Order {
    /** By the priority of the entitlement, so guaranteed work before borrowed work; among equals by submission. */
    PRIORITY(Comparator.comparingLong(QueuedJob::priority).reversed().thenComparing(QueuedJob.BY_SUBMISSION)),
    /** First come, first served. */
    FCFS(QueuedJob.BY_SUBMISSION);

    private final Comparator<QueuedJob> comparator;

    Order(final Comparator<QueuedJob> comparator) {
        this.comparator = comparator;
    }

    Comparator<QueuedJob> comparator() {
        return comparator;
    }
}
