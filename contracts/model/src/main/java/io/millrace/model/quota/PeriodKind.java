package io.millrace.model.quota;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;

/** The kinds of periods of budgets. Weeks follow ISO 8601 and begin on Monday. */
public enum PeriodKind {
    WEEK,
    MONTH,
    YEAR;

    /** The kind of the period with this label; see {@link BudgetPeriod#label}. */
    public static PeriodKind of(final String label) {
        return switch (label.length()) {
            case 4 -> YEAR;
            case 7 -> MONTH;
            default -> WEEK;
        };
    }

    /** First day of the period that contains this day. */
    LocalDate first(final LocalDate day) {
        return switch (this) {
            case WEEK -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
            case MONTH -> day.withDayOfMonth(1);
            case YEAR -> day.withDayOfYear(1);
        };
    }

    /** First day of the period after the one that begins on this day. */
    LocalDate next(final LocalDate first) {
        return switch (this) {
            case WEEK -> first.plusWeeks(1);
            case MONTH -> first.plusMonths(1);
            case YEAR -> first.plusYears(1);
        };
    }

    String label(final LocalDate first) {
        return switch (this) {
            case WEEK ->
                String.format(
                        Locale.ROOT,
                        "%04d-W%02d",
                        first.get(IsoFields.WEEK_BASED_YEAR),
                        first.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
            case MONTH -> String.format(Locale.ROOT, "%04d-%02d", first.getYear(), first.getMonthValue());
            case YEAR -> String.format(Locale.ROOT, "%04d", first.getYear());
        };
    }
}
