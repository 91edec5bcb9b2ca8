package io.millrace.migration.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The knobs of migration.
 *
 * @param performanceOrder clusters from the fastest on; clusters not named come last, by name
 * @param queueAfter a job that has found no idle cores for so long is handed in anyway and waits in a cluster's own queue
 * @param silentAfter a cluster whose newest revision is older than this is unknown: nothing is decided about it
 * @param maxTries answered tries of one step (make, submit) before its attempt is given up
 * @param maxAttempts placements of one job before it is aborted
 * @param retryAfter pause after a first failed try; it doubles with each further one
 * @param retryAtMost longest pause between two tries
 * @param validity how long a command may be begun; at most one hour
 * @param planInterval changed figures alone are announced at most once in this time
 */
public record MigrationPolicy(
        List<ClusterId> performanceOrder,
        Duration queueAfter,
        Duration silentAfter,
        int maxTries,
        int maxAttempts,
        Duration retryAfter,
        Duration retryAtMost,
        Duration validity,
        Duration planInterval) {

    public static final MigrationPolicy DEFAULT = new MigrationPolicy(
            List.of(),
            Duration.ofMinutes(5),
            Duration.ofMinutes(1),
            3,
            3,
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ofSeconds(10));

    public MigrationPolicy {
        performanceOrder = List.copyOf(performanceOrder);
        if (validity.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("a command may be valid for one hour at most, got " + validity
                    + ": lower millrace.migration.validity");
        }
        if (maxTries < 1 || maxAttempts < 1) {
            throw new IllegalArgumentException("max-tries and max-attempts count from 1, got " + maxTries + " and "
                    + maxAttempts + ": raise millrace.migration.max-tries or max-attempts");
        }
        requirePositive("queue-after", queueAfter);
        requirePositive("silent-after", silentAfter);
        requirePositive("retry-after", retryAfter);
        requirePositive("retry-at-most", retryAtMost);
        requirePositive("validity", validity);
        requirePositive("plan-interval", planInterval);
    }

    private static void requirePositive(final String key, final Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("millrace.migration." + key + " must be positive, got " + value);
        }
    }

    /** When the next try may be made, after {@code tries} answered ones of which the newest was answered at {@code answered}. */
    Instant nextTry(final Instant answered, final int tries) {
        return answered.plus(new Backoff(retryAfter, retryAtMost).after(tries));
    }
}
