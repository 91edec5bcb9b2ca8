package io.millrace.model.quota;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/**
 * A week, month or year of the site. As instants it is {@code [start, end)}, each the first moment of a local day, so that
 * a day of 23 or 25 hours and a leap day count as what they are.
 *
 * @param first its first day
 */
public record BudgetPeriod(PeriodKind calendar, LocalDate first) {

    public BudgetPeriod {
        if (!calendar.first(first).equals(first)) {
            throw new IllegalArgumentException("no " + calendar + " begins on " + first);
        }
    }

    /** The period of this kind that contains the instant. */
    public static BudgetPeriod of(final PeriodKind calendar, final Instant instant, final ZoneId zone) {
        return new BudgetPeriod(calendar, calendar.first(LocalDate.ofInstant(instant, zone)));
    }

    public Instant start(final ZoneId zone) {
        return first.atStartOfDay(zone).toInstant();
    }

    /** The first instant after the period. */
    public Instant end(final ZoneId zone) {
        return next().start(zone);
    }

    public BudgetPeriod next() {
        return new BudgetPeriod(calendar, calendar.next(first));
    }

    public BudgetPeriod previous() {
        return new BudgetPeriod(calendar, calendar.first(first.minusDays(1)));
    }

    public int days() {
        return (int) ChronoUnit.DAYS.between(first, calendar.next(first));
    }

    /** Days of the period that have started: 0 before it, all after it. */
    public int daysStarted(final Instant now, final ZoneId zone) {
        final long started = ChronoUnit.DAYS.between(first, LocalDate.ofInstant(now, zone)) + 1;
        return (int) Math.clamp(started, 0, days());
    }

    /** {@code 2026-W47}, {@code 2026-11}, {@code 2026}; unique over all kinds. */
    public String label() {
        return calendar.label(first);
    }

    @Override
    public String toString() {
        return label();
    }
}
