package io.millrace.backfill.domain;

import java.util.Comparator;

/** The order in which jobs are considered; equal jobs by submission. */
public enum JobOrder {
    /** By the priority of the entitlement; guaranteed work before borrowed work. */
    PRIORITY(
            Comparator.comparing(job -> !job.job().guaranteed()),
            Comparator.comparingLong((WaitingJob job) -> job.job().priority()).reversed()),
    /** First come, first served. */
    FCFS((one, other) -> 0),
    /** Shortest job first, by the policy's estimate. */
    SJF(Comparator.comparingLong(WaitingJob::estimate_s)),
    /** Shortest job first, by the mean of its user's last two run times, regardless of the policy's estimate. */
    RECENT(Comparator.comparingLong(WaitingJob::recent_s)),
    /** Smallest cores x recent run time first. */
    SMALLEST(Comparator.comparingDouble(job -> (double) job.recent_s() * job.cores())),
    /** Largest expansion factor first: (wait + recent run time) / recent run time. Favours short jobs without starving long ones. */
    EXPANSION(Comparator.comparingDouble(WaitingJob::expansion).reversed()),
    /** Largest expansion factor / sqrt(cores) first: of two jobs with the same factor, the narrower one. */
    COMPACT(Comparator.comparingDouble((WaitingJob job) -> job.expansion() / Math.sqrt(job.cores()))
            .reversed());

    private final Comparator<WaitingJob> comparator;

    JobOrder(final Comparator<WaitingJob> comparator) {
        this((one, other) -> 0, comparator);
    }

    /** @param entitlement compared before the precedence: guaranteed work outranks a reservation (promise 5) */
    JobOrder(final Comparator<WaitingJob> entitlement, final Comparator<WaitingJob> comparator) {
        this.comparator = entitlement
                .thenComparing(Comparator.comparingInt(WaitingJob::precedence).reversed())
                .thenComparing(comparator)
                .thenComparing(WaitingJob::job, QueuedJob.BY_SUBMISSION);
    }

    public Comparator<WaitingJob> comparator() {
        return comparator;
    }

    /** The part of the order that depends on the jobs alone, and not on a policy or the time. */
    public Comparator<QueuedJob> ofJobs() {
        return this == PRIORITY ? QueuedJob.BY_PRIORITY : QueuedJob.BY_SUBMISSION;
    }

    /** Whether it compares {@link WaitingJob#recent_s} or {@link WaitingJob#expansion}. */
    public boolean usesRecentRuns() {
        return switch (this) {
            case PRIORITY, FCFS, SJF -> false;
            case RECENT, SMALLEST, EXPANSION, COMPACT -> true;
        };
    }
}
