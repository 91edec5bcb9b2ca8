package io.millrace.model.quota;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The terms of a quota beyond its cores.
 *
 * @param gpus guaranteed GPUs; null: GPUs are not counted
 * @param borrowingLimit cores that may be in use beyond the quota; null: as many as are idle
 * @param lendingLimit of the quota's cores, how many others may use while they are idle; null: all
 * @param periods in which other figures hold, in order of time; none overlap
 */
public record QuotaTerms(
        @Nullable Integer gpus,
        @Nullable Integer borrowingLimit,
        @Nullable Integer lendingLimit,
        List<QuotaPeriod> periods) {

    public static final QuotaTerms NONE = new QuotaTerms(null, null, null, List.of());

    /** @throws IllegalArgumentException if a figure is negative or two periods overlap */
    public QuotaTerms {
        notNegative(gpus, "gpus");
        notNegative(borrowingLimit, "borrowingLimit");
        notNegative(lendingLimit, "lendingLimit");
        periods =
                periods.stream().sorted(Comparator.comparing(QuotaPeriod::from)).toList();
        for (int i = 1; i < periods.size(); i++) {
            if (periods.get(i - 1).overlaps(periods.get(i))) {
                throw new IllegalArgumentException("two periods overlap: until "
                        + periods.get(i - 1).until() + " and from "
                        + periods.get(i).from()
                        + "; let the first end where the second begins");
            }
        }
    }

    Optional<QuotaPeriod> periodAt(final Instant now) {
        return periods.stream().filter(period -> period.holdsAt(now)).findFirst();
    }

    Optional<Instant> nextChange(final Instant now) {
        return periods.stream()
                .flatMap(period -> Stream.of(period.from(), period.until()))
                .filter(now::isBefore)
                .min(Comparator.naturalOrder());
    }

    static void notNegative(final @Nullable Integer figure, final String what) {
        if (figure != null && figure < 0) {
            throw new IllegalArgumentException("a quota cannot be negative: " + what + "=" + figure);
        }
    }
}
