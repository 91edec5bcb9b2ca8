package io.millrace.quota.domain.preemption;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * a row of the table of delays: the waiting jobs that it matches, and the delay before they can preempt others.
 *
 * @param coresFrom minimum cores of the job
 * @param coresTo maximum cores of the job
 * @param waited minimum time that the job has waited
 * @param jobClass class of the job; null: any
 * @param urgency quality of service of the job; null: any
 * @param delay the delay
 * @param perCore added for each core of the job
 * @param longest upper bound of the delay with its part per core
 */
public record ReclaimDelay(
        int coresFrom,
        int coresTo,
        Duration waited,
        @Nullable String jobClass,
        @Nullable String urgency,
        Duration delay,
        Duration perCore,
        Duration longest) {

    public ReclaimDelay {
        if (coresFrom < 0 || coresTo < coresFrom) {
            throw new IllegalArgumentException("the range of cores " + coresFrom + "-" + coresTo + " is empty");
        }
        if (waited.isNegative() || delay.isNegative() || perCore.isNegative() || longest.isNegative()) {
            throw new IllegalArgumentException("a delay cannot be negative");
        }
    }

    /** A row that matches all jobs. */
    public static ReclaimDelay forAll(final Duration delay, final Duration perCore, final Duration longest) {
        return new ReclaimDelay(0, Integer.MAX_VALUE, Duration.ZERO, null, null, delay, perCore, longest);
    }

    /**
     * The properties of a job that a row matches.
     *
     * @param classes of the job; empty if not known
     * @param urgency its quality of service
     */
    public record WaitingJob(
            int cores, List<String> classes, @Nullable String urgency) {}

    boolean matches(final WaitingJob job, final Duration waits) {
        return job.cores() >= coresFrom
                && job.cores() <= coresTo
                && waits.compareTo(waited) >= 0
                && (jobClass == null || job.classes().contains(jobClass))
                && (urgency == null || urgency.equals(job.urgency()));
    }

    Duration delayOf(final WaitingJob job) {
        final Duration wanted = delay.plus(perCore.multipliedBy(job.cores()));
        return wanted.compareTo(longest) < 0 ? wanted : longest;
    }
}
