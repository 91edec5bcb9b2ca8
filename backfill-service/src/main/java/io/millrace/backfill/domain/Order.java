package io.millrace.backfill.domain;

import java.util.Comparator;

/** Who comes first; among equals, by submission. */
public enum Order {
    /** By the priority of the entitlement, so guaranteed work before borrowed work. */
    PRIORITY(
            Comparator.comparing(job -> !job.job().guaranteed()),
            Comparator.comparingLong((PlannedJob job) -> job.job().priority()).reversed()),
    /** First come, first served. */
    FCFS((one, other) -> 0),
    /** The shortest by the policy's estimate. */
    SJF(Comparator.comparingLong(PlannedJob::estimate_s)),
    /** The shortest by its user's last two run times, whatever estimate the policy plans with. */
    RECENT(Comparator.comparingLong(PlannedJob::recent_s)),
    /** The least cores x recent run time. */
    SMALLEST(Comparator.comparingDouble(job -> (double) job.recent_s() * job.cores())),
    /** The largest (wait + recent run time) / recent run time: short jobs soon, and nobody is forgotten. */
    EXPANSION(Comparator.comparingDouble(PlannedJob::expansion).reversed()),
    /** The same, over the root of its cores: of two that have waited alike, the one that keeps fewer cores from others. */
    COMPACT(Comparator.comparingDouble((PlannedJob job) -> job.expansion() / Math.sqrt(job.cores()))
            .reversed());

    private final Comparator<PlannedJob> comparator;

    Order(final Comparator<PlannedJob> comparator) {
        this((one, other) -> 0, comparator);
    }

    /** @param right goes even before who was cut, or had others cut: guaranteed work outranks a reservation (promise 5) */
    Order(final Comparator<PlannedJob> right, final Comparator<PlannedJob> comparator) {
        this.comparator = right.thenComparing(
                        Comparator.comparingInt(PlannedJob::precedence).reversed())
                .thenComparing(comparator)
                .thenComparing(PlannedJob.BY_SUBMISSION);
    }

    Comparator<PlannedJob> comparator() {
        return comparator;
    }

    /** Whether places change as time passes. */
    boolean movesWithTime() {
        return this == EXPANSION || this == COMPACT;
    }

    /** Whether places change as run times are learned, if the policy plans with that estimate. */
    boolean movesWithHistory(final Estimate estimate) {
        return switch (this) {
            case PRIORITY, FCFS -> false;
            case SJF -> estimate == Estimate.RECENT2 || estimate == Estimate.CLASS;
            case RECENT, SMALLEST, EXPANSION, COMPACT -> true;
        };
    }
}
