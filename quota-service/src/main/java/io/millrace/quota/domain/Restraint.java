package io.millrace.quota.domain;

import java.time.Duration;
import java.time.Instant;

/**
 * What keeps preemption within bounds.
 *
 * @param protectedRun a job that has run for less is not taken
 * @param perJob how often one job may be put back; then it is left alone
 * @param perHour how many reclaims one cluster may see within an hour
 * @param delay how long a job waits before others give way to it
 * @param delayPerCore added for each core it asks for: what is large disturbs more
 * @param longestDelay no job waits longer than this for leave to reclaim
 */
public record Restraint(
        Duration protectedRun, int perJob, int perHour, Duration delay, Duration delayPerCore, Duration longestDelay) {

    public static final Restraint NONE = new Restraint(
            Duration.ZERO, Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    public Restraint {
        if (perJob < 0 || perHour < 0) {
            throw new IllegalArgumentException("limits on preemptions cannot be negative: " + perJob + ", " + perHour);
        }
    }

    /** When a job of this size that waits since then may have others give way. */
    Instant mayReclaimFrom(final Instant waitsSince, final int cores) {
        final Duration wanted = delay.plus(delayPerCore.multipliedBy(cores));
        return waitsSince.plus(wanted.compareTo(longestDelay) < 0 ? wanted : longestDelay);
    }

    boolean protects(final Instant started, final int restarts, final Instant now) {
        return restarts >= perJob || started.plus(protectedRun).isAfter(now);
    }
}
