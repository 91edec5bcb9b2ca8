package io.millrace.quota.domain.preemption;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * one row of the table of delays: which waiting jobs it is for, and how long they wait before others give way.
 *
 * @param coresFrom jobs of so many cores or more
 * @param coresTo and of so many or fewer
 * @param waited jobs that have waited so long already
 * @param jobClass jobs of this class; null: of any
 * @param urgency jobs of this quality of service; null: of any
 * @param delay how long they wait
 * @param perCore added for each core: what is large disturbs more
 * @param longest nobody waits longer than this by this row
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
            throw new IllegalArgumentException("no job has " + coresFrom + " to " + coresTo + " cores");
        }
        if (waited.isNegative() || delay.isNegative() || perCore.isNegative() || longest.isNegative()) {
            throw new IllegalArgumentException("a delay cannot be negative");
        }
    }

    /** The row for all jobs. */
    public static ReclaimDelay forAll(final Duration delay, final Duration perCore, final Duration longest) {
        return new ReclaimDelay(0, Integer.MAX_VALUE, Duration.ZERO, null, null, delay, perCore, longest);
    }

    /**
     * What a row looks at.
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
