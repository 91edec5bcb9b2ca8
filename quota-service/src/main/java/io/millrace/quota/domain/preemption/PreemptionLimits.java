package io.millrace.quota.domain.preemption;

import io.millrace.quota.domain.preemption.ReclaimDelay.WaitingJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Limits on preemption.
 *
 * @param protectedRun a job that has run for less is not preempted
 * @param perJob requeues after which a job is no longer preempted
 * @param perHour reclaims per cluster within an hour
 * @param delays how long a job waits before it can preempt others: the first matching row; no delay without one
 */
public record PreemptionLimits(Duration protectedRun, int perJob, int perHour, List<ReclaimDelay> delays) {

    public static final PreemptionLimits NONE =
            new PreemptionLimits(Duration.ZERO, Integer.MAX_VALUE, Integer.MAX_VALUE, List.of());

    public PreemptionLimits {
        delays = List.copyOf(delays);
        if (perJob < 0 || perHour < 0) {
            throw new IllegalArgumentException("limits on preemptions cannot be negative: " + perJob + ", " + perHour);
        }
    }

    /** One delay for all jobs. */
    public PreemptionLimits(
            final Duration protectedRun,
            final int perJob,
            final int perHour,
            final Duration delay,
            final Duration delayPerCore,
            final Duration longestDelay) {
        this(protectedRun, perJob, perHour, List.of(ReclaimDelay.forAll(delay, delayPerCore, longestDelay)));
    }

    /** when a job that waits since this time can preempt others. The matching row may change while the job waits. */
    public Instant reclaimAllowedFrom(final Instant waitsSince, final WaitingJob job) {
        final Duration wait = Stream.concat(
                        Stream.of(Duration.ZERO),
                        delays.stream().flatMap(row -> Stream.of(row.waited(), row.delayOf(job))))
                .sorted()
                .filter(waits -> waits.compareTo(delayAfter(waits, job)) >= 0)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no delay is longer than the longest"));
        return waitsSince.plus(wait);
    }

    private Duration delayAfter(final Duration waits, final WaitingJob job) {
        return delays.stream()
                .filter(row -> row.matches(job, waits))
                .findFirst()
                .map(row -> row.delayOf(job))
                .orElse(Duration.ZERO);
    }

    public boolean protects(final Instant started, final int restarts, final Instant now) {
        return restarts >= perJob || started.plus(protectedRun).isAfter(now);
    }
}
