package io.millrace.cli.text;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The time that an option of a period names, in the words of {@code sacct --starttime}: a day, or an instant, which begins and ends at once.
 *
 * @param from the beginning
 * @param until the first instant after it
 */
public record TimeSpan(Instant from, Instant until) {

    private static final Pattern DAY = Pattern.compile("(?<year>\\d{4})-(?<month>\\d{1,2})-(?<day>\\d{1,2})");
    private static final Pattern AMERICAN_DAY =
            Pattern.compile("(?<month>\\d{1,2})([/.]?)(?<day>\\d{2})(\\2(?<year>\\d{2}))?");
    private static final Pattern CLOCK =
            Pattern.compile("(?<hour>\\d{1,2}):(?<minute>\\d{2})(:(?<second>\\d{2})(\\.\\d+)?)? ?(?<half>am|pm)?");
    private static final Pattern DISTANCE = Pattern.compile("now(?<sign>[+-])(?<count>\\d{1,9})(?<unit>[a-z]*)");

    /** For help texts. */
    public static final String FORMS = "yesterday, 2026-11-01, 09:00, 2026-11-01T09:00, now-2days";

    /** Reads the value of an option. */
    public static final class Converter implements ITypeConverter<TimeSpan> {
        @Override
        public TimeSpan convert(final String text) {
            try {
                return of(text, Instant.now(), ZoneId.systemDefault());
            } catch (final IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /**
     * @param zone of the user
     * @throws IllegalArgumentException with a message for the user
     */
    public static TimeSpan of(final String text, final Instant now, final ZoneId zone) {
        try {
            return read(text.strip().toLowerCase(Locale.ROOT), now, zone);
        } catch (final DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is not a valid time; use one of " + FORMS, e);
        }
    }

    private static TimeSpan read(final String text, final Instant now, final ZoneId zone) {
        final LocalDate today = LocalDate.ofInstant(now, zone);
        final Matcher distance = DISTANCE.matcher(text);
        if (distance.matches()) {
            final Duration length = unit(distance.group("unit")).multipliedBy(Long.parseLong(distance.group("count")));
            return at(distance.group("sign").equals("-") ? now.minus(length) : now.plus(length));
        }
        if (text.equals("now")) {
            return at(now);
        }
        final LocalTime clock = clock(text);
        if (clock != null) { // the last time that it was so late
            final Instant time = today.atTime(clock).atZone(zone).toInstant();
            return at(
                    time.isAfter(now)
                            ? today.minusDays(1).atTime(clock).atZone(zone).toInstant()
                            : time);
        }
        final LocalDate day = day(text, today);
        if (day != null) {
            return new TimeSpan(
                    day.atStartOfDay(zone).toInstant(),
                    day.plusDays(1).atStartOfDay(zone).toInstant());
        }
        final String[] parts = text.split(" |[t-](?=\\d{1,2}:)", 2);
        final LocalDate date = day(parts[0], today);
        final LocalTime time = parts.length < 2 ? null : clock(parts[1]);
        return date != null && time != null
                ? at(date.atTime(time).atZone(zone).toInstant())
                : at(OffsetDateTime.parse(text.toUpperCase(Locale.ROOT)).toInstant());
    }

    private static TimeSpan at(final Instant time) {
        return new TimeSpan(time, time);
    }

    private static @Nullable LocalTime clock(final String text) {
        final Matcher clock = CLOCK.matcher(text);
        if (!clock.matches()) {
            return switch (text) {
                case "midnight" -> LocalTime.MIDNIGHT;
                case "elevenses" -> LocalTime.of(11, 0);
                case "noon" -> LocalTime.NOON;
                case "fika" -> LocalTime.of(15, 0);
                case "teatime" -> LocalTime.of(16, 0);
                default -> null;
            };
        }
        final int hour = Integer.parseInt(clock.group("hour"));
        final String half = clock.group("half");
        final int second = clock.group("second") == null ? 0 : Integer.parseInt(clock.group("second"));
        return LocalTime.of(
                half == null ? hour : hour % 12 + (half.equals("pm") ? 12 : 0),
                Integer.parseInt(clock.group("minute")),
                second);
    }

    private static @Nullable LocalDate day(final String text, final LocalDate today) {
        switch (text) {
            case "today":
                return today;
            case "yesterday":
                return today.minusDays(1);
            case "tomorrow":
                return today.plusDays(1);
            default:
        }
        for (final Pattern form : new Pattern[] {DAY, AMERICAN_DAY}) {
            final Matcher day = form.matcher(text);
            if (day.matches()) {
                final int year = day.group("year") == null ? today.getYear() : Integer.parseInt(day.group("year"));
                return LocalDate.of(
                        year < 100 ? 2000 + year : year,
                        Integer.parseInt(day.group("month")),
                        Integer.parseInt(day.group("day")));
            }
        }
        return null;
    }

    private static Duration unit(final String name) {
        return switch (name) {
            case "", "second", "seconds" -> Duration.ofSeconds(1);
            case "minute", "minutes" -> Duration.ofMinutes(1);
            case "hour", "hours" -> Duration.ofHours(1);
            case "day", "days" -> Duration.ofDays(1);
            case "week", "weeks" -> Duration.ofDays(7);
            default -> throw new DateTimeException("'" + name + "' is not a unit of time");
        };
    }
}
