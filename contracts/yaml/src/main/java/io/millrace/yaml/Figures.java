package io.millrace.yaml;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Figures as people write them into files. */
public final class Figures {

    private static final Pattern SPAN = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");

    private Figures() {}

    /**
     * A span of time: {@code 500ms}, {@code 10s}, {@code 5m}, {@code 2h}, {@code 14d}, or as ISO 8601 writes it, {@code PT5M}; never negative.
     *
     * @throws IllegalArgumentException naming the forms
     */
    public static Duration span(final String text) {
        final Matcher span = SPAN.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!span.matches()) {
            return iso(text.strip());
        }
        final long count = Long.parseLong(span.group(1));
        return switch (span.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }

    private static Duration iso(final String text) {
        try {
            final Duration span = Duration.parse(text);
            if (!span.isNegative()) {
                return span;
            }
        } catch (final DateTimeParseException e) {
            throw noSpan(text);
        }
        throw noSpan(text);
    }

    private static IllegalArgumentException noSpan(final String text) {
        return new IllegalArgumentException("'" + text + "' is no span of time: write 500ms, 10s, 5m, 2h or 14d");
    }

    /** A span as it would be written: the largest unit up to hours that leaves nothing over. */
    public static String told(final Duration span) {
        final long ms = span.toMillis();
        if (ms % 1000 != 0) {
            return ms + "ms";
        }
        final long s = ms / 1000;
        if (s % 60 != 0) {
            return s + "s";
        }
        return s % 3600 == 0 ? s / 3600 + "h" : s / 60 + "m";
    }

    /** @throws IllegalArgumentException if it is none, or does not fit */
    public static int whole(final String text) {
        try {
            return Integer.parseInt(text);
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number", e);
        }
    }
}
