package io.millrace.model;

import java.time.Duration;

/**
 * How long to wait after a failure before the next try: {@code first} after one failure, twice as long after each further one, never
 * more than {@code max}.
 *
 * @param first pause after the first failure; greater than zero
 * @param max longest pause
 */
public record Backoff(Duration first, Duration max) {

    private static final int MAX_DOUBLINGS = 20;

    public Backoff {
        if (first.isNegative() || first.isZero()) {
            throw new IllegalArgumentException("the first back-off pause must be greater than zero, got " + first);
        }
        if (max.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "the longest back-off pause " + max + " is shorter than the first " + first);
        }
    }

    /** @param failures failures in a row; 0 or less counts as 1 */
    public Duration after(final int failures) {
        final Duration doubled = first.multipliedBy(1L << Math.clamp(failures - 1L, 0, MAX_DOUBLINGS));
        return doubled.compareTo(max) < 0 ? doubled : max;
    }
}
