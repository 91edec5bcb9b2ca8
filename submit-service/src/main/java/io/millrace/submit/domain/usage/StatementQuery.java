package io.millrace.submit.domain.usage;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.Year;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Selects the postings of a statement.
 *
 * @param user null: all users
 * @param project null: all projects
 * @param period {@code 2026-W47} (weeks begin on Monday), {@code 2026-11} or {@code 2026}
 * @param column kind of the period: week, month or year
 * @param first first day of the period
 * @param next first day after the period
 */
public record StatementQuery(
        @Nullable UserName user,
        @Nullable ProjectName project,
        String period,
        String column,
        LocalDate first,
        LocalDate next) {

    private static final Pattern WEEK = Pattern.compile("\\d{4}-W\\d{2}");
    private static final Pattern MONTH = Pattern.compile("\\d{4}-\\d{2}");
    private static final Pattern YEAR = Pattern.compile("\\d{4}");

    /** @throws IllegalArgumentException if the period is invalid */
    public static StatementQuery of(
            final @Nullable UserName user, final @Nullable ProjectName project, final String period) {
        try {
            if (WEEK.matcher(period).matches()) {
                final LocalDate monday = LocalDate.parse(period + "-1", DateTimeFormatter.ISO_WEEK_DATE);
                return new StatementQuery(user, project, period, "week", monday, monday.plusWeeks(1));
            }
            if (MONTH.matcher(period).matches()) {
                final LocalDate first = YearMonth.parse(period).atDay(1);
                return new StatementQuery(user, project, period, "month", first, first.plusMonths(1));
            }
            if (YEAR.matcher(period).matches()) {
                final LocalDate first = Year.parse(period).atDay(1);
                return new StatementQuery(user, project, period, "year", first, first.plusYears(1));
            }
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(invalidPeriod(period), e);
        }
        throw new IllegalArgumentException(invalidPeriod(period));
    }

    /** The kind of a period: week, month or year. */
    public static String column(final String period) {
        return WEEK.matcher(period).matches() ? "week" : MONTH.matcher(period).matches() ? "month" : "year";
    }

    /** The kind of balances that it sums: weeks and months have balances, a year is the sum of its months. */
    public String balances() {
        return column.equals("year") ? "month" : column;
    }

    public String firstBalance() {
        return column.equals("year") ? period + "-01" : period;
    }

    public String lastBalance() {
        return column.equals("year") ? period + "-12" : period;
    }

    private static String invalidPeriod(final String text) {
        return "'" + text + "' is not a valid period; use a week (2026-W47), a month (2026-11) or a year (2026)";
    }
}
