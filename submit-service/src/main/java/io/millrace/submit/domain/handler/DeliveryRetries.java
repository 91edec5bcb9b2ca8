package io.millrace.submit.domain.handler;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a delivery that failed is repeated: after pauses that double, each shortened by chance to as little as half, so that handlers that
 * failed together do not come back together.
 *
 * @param tries in all
 * @param first pause after the first failure
 * @param longest no pause of ours is longer; one that the receiver asked for may be
 */
public record DeliveryRetries(int tries, Duration first, Duration longest, OnFailure after) {

    /** Whoever asks for a longer pause (Retry-After) gets this one. */
    static final Duration LONGEST_ASKED = Duration.ofHours(1);

    private static final int MOST_TRIES = 1000;

    /** What becomes of an event that no try brought home. */
    public enum OnFailure {
        /** It is put aside with the reason; the next one follows. */
        DEAD_LETTER,
        /** The handler stops before it, and keeps its place until an operator lets it go on. */
        PAUSE
    }

    public DeliveryRetries {
        if (tries < 1 || tries > MOST_TRIES) {
            throw new IllegalArgumentException("'attempts' must be from 1 to " + MOST_TRIES + ", got " + tries);
        }
        if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException("'initial-backoff' must be above zero and not above 'max-backoff'");
        }
    }

    /**
     * @param failed tries so far, at least 1
     * @param asked what the receiver asked for
     * @param chance from 0 to 1
     */
    public Duration pause(final int failed, final @Nullable Duration asked, final double chance) {
        final Duration whole = doubled(failed - 1);
        final long half_ns = whole.toNanos() / 2;
        final Duration own = whole.minusNanos((long) (half_ns * (1 - chance)));
        if (asked == null || asked.compareTo(own) <= 0) {
            return own;
        }
        return asked.compareTo(LONGEST_ASKED) < 0 ? asked : LONGEST_ASKED;
    }

    private Duration doubled(final int times) {
        Duration pause = first;
        for (int i = 0; i < times && pause.compareTo(longest) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(longest) < 0 ? pause : longest;
    }
}
