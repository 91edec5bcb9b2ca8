package io.millrace.sitefiles;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as they are written in files: {@code 500ms}, {@code 10s}, {@code 5m}, {@code 2h}, {@code 14d}, or ISO 8601. */
public final class Durations {

    private static final Pattern SHORT = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");

    private Durations() {}

    /** @throws IllegalArgumentException if the text is not a duration, or negative */
    public static Duration parse(final String text) {
        final Matcher match = SHORT.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!match.matches()) {
            return iso(text.strip());
        }
        final long count = Long.parseLong(match.group(1));
        return switch (match.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }

    private static Duration iso(final String text) {
        try {
            final Duration duration = Duration.parse(text);
            if (!duration.isNegative()) {
                return duration;
            }
        } catch (final DateTimeParseException e) {
            throw invalid(text);
        }
        throw invalid(text);
    }

    private static IllegalArgumentException invalid(final String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not a valid duration: use a form such as 500ms, 10s, 5m, 2h or 14d");
    }

    /** The duration in the largest unit, up to hours, that gives a whole number. */
    public static String format(final Duration duration) {
        final long ms = duration.toMillis();
        if (ms % 1000 != 0) {
            return ms + "ms";
        }
        final long s = ms / 1000;
        if (s % 60 != 0) {
            return s + "s";
        }
        return s % 3600 == 0 ? s / 3600 + "h" : s / 60 + "m";
    }
}
