package io.millrace.transfer.domain;

import io.millrace.model.view.CommandView;
import io.millrace.model.Backoff;
import java.time.Duration;
import java.time.Instant;

/**
 * The knobs of transfers.
 *
 * @param perPair copies at a time between two clusters, both directions together
 * @param perReceiver copies at a time to one cluster
 * @param maxTries failed copies before a transfer is given up
 * @param retryAfter pause after a first failed copy; it doubles with each further one
 * @param retryAtMost longest pause between two copies
 * @param validity how long a copy may be begun after it was ordered; at most one hour
 * @param copyDeadline how long a copy that was begun may run before it is stopped and begun again (what has arrived stays)
 * @param silentAfter a cluster whose newest revision is older than this is unknown: nothing is ordered there
 */
public record TransferPolicy(
        int perPair,
        int perReceiver,
        int maxTries,
        Duration retryAfter,
        Duration retryAtMost,
        Duration validity,
        Duration copyDeadline,
        Duration silentAfter) {

    public static final TransferPolicy DEFAULT = new TransferPolicy(
            2,
            4,
            5,
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ofHours(6),
            Duration.ofMinutes(1));

    public TransferPolicy {
        requireAtLeastOne("per-pair", perPair);
        requireAtLeastOne("per-receiver", perReceiver);
        requireAtLeastOne("max-tries", maxTries);
        requirePositive("retry-after", retryAfter);
        requirePositive("retry-at-most", retryAtMost);
        requirePositive("validity", validity);
        requirePositive("copy-deadline", copyDeadline);
        requirePositive("silent-after", silentAfter);
        if (validity.compareTo(CommandView.RETENTION) > 0) {
            throw new IllegalArgumentException("a command may be valid for one hour at most, got " + validity
                    + ": lower millrace.transfer.validity");
        }
    }

    private static void requireAtLeastOne(final String key, final int value) {
        if (value < 1) {
            throw new IllegalArgumentException("millrace.transfer." + key + " must be 1 or more, got " + value);
        }
    }

    private static void requirePositive(final String key, final Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("millrace.transfer." + key + " must be positive, got " + value);
        }
    }

    /** When an order given at {@code ordered} can no longer have been begun unheard. */
    public Instant settled(final Instant ordered) {
        return ordered.plus(validity).plus(silentAfter);
    }

    /** When a transfer that has been planned again at {@code since}, after so many tries, may begin. */
    public Instant nextTry(final Instant since, final int tries) {
        return tries == 0 ? since : since.plus(new Backoff(retryAfter, retryAtMost).after(tries));
    }
}
