package io.millrace.cli.slurm;

import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The times of Slurm's options, as sacct(1) describes them. */
final class SlurmTime {

    private static final Pattern RELATIVE =
            Pattern.compile("now(?:([+-])(\\d{1,9})(seconds?|minutes?|hours?|days?|weeks?|))?");
    private static final Pattern CLOCK = Pattern.compile("(\\d{1,2}):(\\d{2})(?::(\\d{2}))?(am|pm)?");
    private static final Pattern DAY = Pattern.compile("(\\d{4})-(\\d{1,2})-(\\d{1,2})");
    private static final Pattern AMERICAN = Pattern.compile("(\\d{1,2})([/.]?)(\\d{2})(?:\\2(\\d{2}))?");

    private SlurmTime() {}

    static LocalDateTime of(final String text, final LocalDateTime now) throws CommandException {
        try {
            final LocalDateTime time = read(text.strip().toLowerCase(Locale.ROOT), now);
            if (time != null) {
                return time;
            }
        } catch (final DateTimeException e) {
            throw invalid(text);
        }
        throw invalid(text);
    }

    private static CommandException invalid(final String text) {
        return new CommandException(ExitCode.FAILED, "Invalid time specification: " + text);
    }

    private static @Nullable LocalDateTime read(final String text, final LocalDateTime now) {
        final Matcher relative = RELATIVE.matcher(text);
        if (relative.matches()) {
            return relative.group(1) == null ? now : relative(relative, now);
        }
        final String[] parts = text.split("[t-](?=\\d{1,2}:)", 2);
        final LocalDate day = day(parts[0], now.toLocalDate());
        if (day != null) {
            final LocalTime time = parts.length == 1 ? LocalTime.MIDNIGHT : clock(parts[1]);
            return time == null ? null : day.atTime(time);
        }
        final LocalTime time = clock(text);
        return time == null ? null : now.toLocalDate().atTime(time);
    }

    private static LocalDateTime relative(final Matcher parts, final LocalDateTime now) {
        final long amount = Long.parseLong(parts.group(2)) * (parts.group(1).equals("-") ? -1 : 1);
        final String unit = parts.group(3);
        if (unit.isEmpty()) {
            return now.plusSeconds(amount);
        }
        return now.plus(
                amount,
                switch (unit.charAt(0)) {
                    case 's' -> ChronoUnit.SECONDS;
                    case 'm' -> ChronoUnit.MINUTES;
                    case 'h' -> ChronoUnit.HOURS;
                    case 'd' -> ChronoUnit.DAYS;
                    default -> ChronoUnit.WEEKS;
                });
    }

    private static @Nullable LocalDate day(final String text, final LocalDate today) {
        final Matcher day = DAY.matcher(text);
        if (day.matches()) {
            return LocalDate.of(number(day, 1), number(day, 2), number(day, 3));
        }
        final Matcher american = AMERICAN.matcher(text);
        if (american.matches()) {
            return LocalDate.of(
                    american.group(4) == null ? today.getYear() : 2000 + number(american, 4),
                    number(american, 1),
                    number(american, 3));
        }
        return text.equals("today") ? today : null;
    }

    private static @Nullable LocalTime clock(final String text) {
        final Matcher clock = CLOCK.matcher(text);
        if (clock.matches()) {
            final int hour = number(clock, 1) % (clock.group(4) == null ? 24 : 12);
            return LocalTime.of(
                    hour + ("pm".equals(clock.group(4)) ? 12 : 0),
                    number(clock, 2),
                    clock.group(3) == null ? 0 : number(clock, 3));
        }
        return switch (text) {
            case "midnight" -> LocalTime.MIDNIGHT;
            case "noon" -> LocalTime.NOON;
            case "fika" -> LocalTime.of(15, 0);
            case "teatime" -> LocalTime.of(16, 0);
            default -> null;
        };
    }

    private static int number(final Matcher parts, final int group) {
        return Integer.parseInt(parts.group(group));
    }
}
