package io.millrace.script;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses walltimes: ISO 8601 ({@code PT1H30M}) or the six forms of Slurm's {@code sbatch --time}: {@code minutes},
 * {@code minutes:seconds}, {@code hours:minutes:seconds}, {@code days-hours}, {@code days-hours:minutes},
 * {@code days-hours:minutes:seconds}.
 */
public final class WalltimeText {

    /** Longer walltimes are refused as typing errors. */
    public static final Duration LONGEST = Duration.ofDays(366);

    private static final Pattern WITH_DAYS = Pattern.compile("(\\d{1,6})-(\\d{1,6})(?::(\\d{1,2})(?::(\\d{1,2}))?)?");
    private static final Pattern WITHOUT = Pattern.compile("(\\d{1,9})(?::(\\d{1,2})(?::(\\d{1,2}))?)?");

    private WalltimeText() {}

    /** @throws IllegalArgumentException with a message for the user */
    public static Duration parse(final String text) {
        final Duration walltime = read(text.strip());
        if (walltime.isNegative() || walltime.isZero()) {
            throw new IllegalArgumentException("must be greater than zero, got '" + text + "'");
        }
        if (walltime.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("must be at most " + LONGEST.toDays() + " days, got '" + text + "'");
        }
        return walltime;
    }

    private static Duration read(final String text) {
        final Matcher days = WITH_DAYS.matcher(text);
        if (days.matches()) {
            return Duration.ofDays(number(days.group(1)))
                    .plusHours(number(days.group(2)))
                    .plusMinutes(sixty(days.group(3), text))
                    .plusSeconds(sixty(days.group(4), text));
        }
        final Matcher plain = WITHOUT.matcher(text);
        if (plain.matches()) {
            return plain.group(3) != null
                    ? Duration.ofHours(number(plain.group(1)))
                            .plusMinutes(sixty(plain.group(2), text))
                            .plusSeconds(sixty(plain.group(3), text))
                    : Duration.ofMinutes(number(plain.group(1))).plusSeconds(sixty(plain.group(2), text));
        }
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a valid walltime; use minutes, [D-]HH:MM:SS, or ISO 8601 such as PT1H30M",
                    e);
        }
    }

    private static long sixty(final @Nullable String digits, final String text) {
        final long value = digits == null ? 0 : number(digits);
        if (value >= 60) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a valid walltime: " + value + " must be less than 60");
        }
        return value;
    }

    private static long number(final String digits) {
        return Long.parseLong(digits);
    }
}
