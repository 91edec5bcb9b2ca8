package io.millrace.quota.domain.budget;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;

/** The kinds of periods of budgets. Weeks follow ISO 8601 and begin on Monday. */
public enum PeriodKind {
    WEEK {
        @Override
        LocalDate first(final LocalDate day) {
            return day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
        }

        @Override
        LocalDate next(final LocalDate first) {
            return first.plusWeeks(1);
        }

        @Override
        String label(final LocalDate first) {
            return String.format(
                    Locale.ROOT,
                    "%04d-W%02d",
                    first.get(IsoFields.WEEK_BASED_YEAR),
                    first.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
        }
    },
    MONTH {
        @Override
        LocalDate first(final LocalDate day) {
            return day.withDayOfMonth(1);
        }

        @Override
        LocalDate next(final LocalDate first) {
            return first.plusMonths(1);
        }

        @Override
        String label(final LocalDate first) {
            return String.format(Locale.ROOT, "%04d-%02d", first.getYear(), first.getMonthValue());
        }
    },
    YEAR {
        @Override
        LocalDate first(final LocalDate day) {
            return day.withDayOfYear(1);
        }

        @Override
        LocalDate next(final LocalDate first) {
            return first.plusYears(1);
        }

        @Override
        String label(final LocalDate first) {
            return String.format(Locale.ROOT, "%04d", first.getYear());
        }
    };

    /** The kind of the period with this label; see {@link BudgetPeriod#label}. */
    static PeriodKind of(final String label) {
        return switch (label.length()) {
            case 4 -> YEAR;
            case 7 -> MONTH;
            default -> WEEK;
        };
    }

    /** First day of the period that contains this day. */
    abstract LocalDate first(LocalDate day);

    /** First day of the period after the one that begins on this day. */
    abstract LocalDate next(LocalDate first);

    abstract String label(LocalDate first);
}
