package io.millrace.model.quota;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Other figures of a quota for a period.
 *
 * @param from the first instant at which they hold
 * @param until the first instant after the period
 * @param gpus null: GPUs as at other times
 */
public record QuotaPeriod(
        Instant from, Instant until, int cores, @Nullable Integer gpus) {

    public QuotaPeriod {
        if (!from.isBefore(until)) {
            throw new IllegalArgumentException("a period ends after it begins: from " + from + " until " + until);
        }
        QuotaTerms.notNegative(cores, "cores");
        QuotaTerms.notNegative(gpus, "gpus");
    }

    boolean holdsAt(final Instant now) {
        return !now.isBefore(from) && now.isBefore(until);
    }

    boolean overlaps(final QuotaPeriod other) {
        return from.isBefore(other.until) && other.from.isBefore(until);
    }
}
