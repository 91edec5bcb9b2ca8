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
 * Whose costs, and of which period.
 *
 * @param user null: everybody
 * @param project null: all of them
 * @param period {@code 2026-W47} (weeks begin on Monday), {@code 2026-11} or {@code 2026}
 * @param column which calendar it belongs to: week, month or year
 * @param first its first day
 * @param next the first day after it
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

    /** @throws IllegalArgumentException if there is no such period */
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
            throw new IllegalArgumentException(noPeriod(period), e);
        }
        throw new IllegalArgumentException(noPeriod(period));
    }

    /** Which calendar a period belongs to: week, month or year. */
    public static String column(final String period) {
        return WEEK.matcher(period).matches() ? "week" : MONTH.matcher(period).matches() ? "month" : "year";
    }

    /** The kind of closed periods that it is the sum of: weeks have balances and months have, a year is its months. */
    public String balances() {
        return column.equals("year") ? "month" : column;
    }

    public String firstBalance() {
        return column.equals("year") ? period + "-01" : period;
    }

    public String lastBalance() {
        return column.equals("year") ? period + "-12" : period;
    }

    private static String noPeriod(final String text) {
        return "'" + text + "' is no period: write a week (2026-W47), a month (2026-11) or a year (2026)";
    }
}
