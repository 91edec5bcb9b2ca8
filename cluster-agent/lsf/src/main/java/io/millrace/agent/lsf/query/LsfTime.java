package io.millrace.agent.lsf.query;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Times as LSF prints them: {@code Fri Nov 20 13:04:36}, followed by the year if LSB_DISPLAY_YEAR is set, without seconds in tables. All
 * commands print UTC. A missing year is derived from the day of the week and the current time.
 */
public final class LsfTime {

    static final String FORM =
            "(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) +)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +"
                    + "\\d{1,2} +\\d{1,2}:\\d{2}(?::\\d{2})?(?: +\\d{4})?";

    private static final Pattern PARTS = Pattern.compile(
            "(?:(\\p{L}{3}) +)?(\\p{L}{3}) +(\\d{1,2}) +(\\d{1,2}):(\\d{2})(?::(\\d{2}))?(?: +(\\d{4}))?");

    /** Maximum clock difference to the cluster; a later time belongs to the previous year. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofDays(2);

    private LsfTime() {}

    /** A time in the past, or about now. */
    public static Optional<Instant> past(final String text, final Instant now) {
        return read(text, now.plus(CLOCK_TOLERANCE), -1);
    }

    /** A time that may be in the future: the next one with this date and day of the week, starting yesterday. */
    public static Optional<Instant> future(final String text, final Instant now) {
        return read(text, now.minus(CLOCK_TOLERANCE), 1);
    }

    private static Optional<Instant> read(final String text, final Instant from, final int step) {
        final Matcher parts = PARTS.matcher(text.strip());
        if (!parts.matches()) {
            return Optional.empty();
        }
        final @Nullable Integer month = month(parts.group(2));
        if (month == null) {
            return Optional.empty();
        }
        if (parts.group(7) != null) {
            return at(parts, Integer.parseInt(parts.group(7)), month);
        }
        final int first = from.atOffset(ZoneOffset.UTC).getYear();
        // 28 years contain every combination of date and day of the week; 40 years also across a century without a
        // leap year.
        for (int years = 0; years <= 40; years++) {
            final Optional<Instant> found = at(parts, first + step * years, month)
                    .filter(time -> step < 0 ? !time.isAfter(from) : !time.isBefore(from))
                    .filter(time -> isDayOfWeek(parts.group(1), time));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<Instant> at(final Matcher parts, final int year, final int month) {
        try {
            return Optional.of(LocalDateTime.of(
                            year,
                            month,
                            Integer.parseInt(parts.group(3)),
                            Integer.parseInt(parts.group(4)),
                            Integer.parseInt(parts.group(5)),
                            parts.group(6) == null ? 0 : Integer.parseInt(parts.group(6)))
                    .toInstant(ZoneOffset.UTC));
        } catch (final DateTimeException e) {
            return Optional.empty(); // 29 February of another year
        }
    }

    private static boolean isDayOfWeek(final @Nullable String day, final Instant time) {
        return day == null
                || time.atOffset(ZoneOffset.UTC)
                        .getDayOfWeek()
                        .getDisplayName(TextStyle.SHORT, Locale.ENGLISH)
                        .equals(day);
    }

    private static @Nullable Integer month(final String text) {
        for (final Month month : Month.values()) {
            if (month.getDisplayName(TextStyle.SHORT, Locale.ENGLISH).equals(text)) {
                return month.getValue();
            }
        }
        return null;
    }
}
