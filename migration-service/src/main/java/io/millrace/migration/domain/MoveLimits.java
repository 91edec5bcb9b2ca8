package io.millrace.migration.domain;

import java.time.Duration;

/**
 * When a waiting attempt moves to a cluster that can start it now (ADR 28).
 *
 * @param max how often a job may move; 0: never
 * @param minGain a job moves only if it ends earlier by at least this, and by at least half of its predicted wait
 */
public record MoveLimits(int max, Duration minGain) {

    public static final MoveLimits DEFAULT = new MoveLimits(2, Duration.ofMinutes(10));

    public MoveLimits {
        if (max < 0) {
            throw new IllegalArgumentException("millrace.migration.max-moves must not be negative, got " + max);
        }
        if (minGain.isNegative() || minGain.isZero()) {
            throw new IllegalArgumentException(
                    "millrace.migration.move-gain must be greater than zero, got " + minGain);
        }
    }

    /**
     * Whether a job that is predicted to wait for {@code wait} moves for an end that is {@code gain} earlier.
     *
     * @param moves how often it has moved
     */
    public boolean allows(final long moves, final Duration wait, final Duration gain) {
        return moves < max
                && gain.compareTo(minGain) >= 0
                && gain.multipliedBy(2).compareTo(wait) >= 0;
    }
}
