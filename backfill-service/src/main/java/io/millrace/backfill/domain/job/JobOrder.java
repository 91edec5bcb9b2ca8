package io.millrace.backfill.domain.job;

import java.util.Comparator;

/** The order in which jobs are considered; equal jobs by submission. */
public enum JobOrder {
    /** By the priority of the entitlement; guaranteed work before borrowed work. */
    PRIORITY(
            Comparator.comparing(job -> !job.job().guaranteed()),
            Comparator.comparingLong((PlannedJob job) -> job.job().priority()).reversed()),
    /** First come, first served. */
    FCFS((one, other) -> 0),
    /** Shortest job first, by the policy's estimate. */
    SJF(Comparator.comparingLong(PlannedJob::estimate_s)),
    /** Shortest job first, by the mean of its user's last two run times, regardless of the policy's estimate. */
    RECENT(Comparator.comparingLong(PlannedJob::recent_s)),
    /** Smallest cores x recent run time first. */
    SMALLEST(Comparator.comparingDouble(job -> (double) job.recent_s() * job.cores())),
    /** Largest expansion factor first: (wait + recent run time) / recent run time. Favours short jobs without starving long ones. */
    EXPANSION(Comparator.comparingDouble(PlannedJob::expansion).reversed()),
    /** Largest expansion factor / sqrt(cores) first: of two jobs with the same factor, the narrower one. */
    COMPACT(Comparator.comparingDouble((PlannedJob job) -> job.expansion() / Math.sqrt(job.cores()))
            .reversed());

    private final Comparator<PlannedJob> comparator;

    JobOrder(final Comparator<PlannedJob> comparator) {
        this((one, other) -> 0, comparator);
    }

    /** @param entitlement compared before the precedence: guaranteed work outranks a reservation (promise 5) */
    JobOrder(final Comparator<PlannedJob> entitlement, final Comparator<PlannedJob> comparator) {
        this.comparator = entitlement
                .thenComparing(Comparator.comparingInt(PlannedJob::precedence).reversed())
                .thenComparing(comparator)
                .thenComparing(PlannedJob.BY_SUBMISSION);
    }

    public Comparator<PlannedJob> comparator() {
        return comparator;
    }

    /** Whether the order changes as time passes. */
    public boolean changesWithTime() {
        return this == EXPANSION || this == COMPACT;
    }

    /** Whether the order changes when runs are added to the history, for a policy with this estimate. */
    public boolean changesWithHistory(final Estimate estimate) {
        return switch (this) {
            case PRIORITY, FCFS -> false;
            case SJF -> estimate.changesWithHistory();
            case RECENT, SMALLEST, EXPANSION, COMPACT -> true;
        };
    }
}
