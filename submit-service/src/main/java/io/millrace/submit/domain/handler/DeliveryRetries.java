package io.millrace.submit.domain.handler;

import io.millrace.model.Backoff;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a failed delivery is retried: with an exponential back-off that is shortened at random by up to half, so that handlers that failed
 * together do not retry together.
 *
 * @param maxAttempts maximum number of deliveries of one event
 * @param initialBackoff back-off after the first failure
 * @param maxBackoff maximum back-off; a delay that the receiver requests may be longer
 */
public record DeliveryRetries(int maxAttempts, Duration initialBackoff, Duration maxBackoff, OnFailure onFailure) {

    /** Maximum delay that a receiver can request (Retry-After). */
    static final Duration MAX_REQUESTED = Duration.ofHours(1);

    private static final int MAX_ATTEMPTS = 1000;

    /** What happens to an event whose last attempt failed. */
    public enum OnFailure {
        /** The event is written to the dead-letter topic, and the next event is delivered. */
        DEAD_LETTER,
        /** The handler pauses before this event until an operator resumes it. */
        PAUSE
    }

    public DeliveryRetries {
        if (maxAttempts < 1 || maxAttempts > MAX_ATTEMPTS) {
            throw new IllegalArgumentException(
                    "'attempts' must be between 1 and " + MAX_ATTEMPTS + ", got " + maxAttempts);
        }
        if (initialBackoff.isNegative() || initialBackoff.isZero() || maxBackoff.compareTo(initialBackoff) < 0) {
            throw new IllegalArgumentException("'initial-backoff' must be greater than zero and at most 'max-backoff'");
        }
    }

    /**
     * @param failed failed attempts so far, at least 1
     * @param requested delay that the receiver requested
     * @param random from 0 to 1
     */
    public Duration backoff(final int failed, final @Nullable Duration requested, final double random) {
        final Duration longest = new Backoff(initialBackoff, maxBackoff).after(failed);
        final long half_ns = longest.toNanos() / 2;
        final Duration backoff = longest.minusNanos((long) (half_ns * (1 - random)));
        if (requested == null || requested.compareTo(backoff) <= 0) {
            return backoff;
        }
        return requested.compareTo(MAX_REQUESTED) < 0 ? requested : MAX_REQUESTED;
    }
}
