package io.millrace.submit.handlers;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Figures as people write them into files. */
final class Figures {

    private static final Pattern SPAN = Pattern.compile("(\\d{1,6})(ms|s|m|h|d)");

    private Figures() {}

    /** {@code 500ms}, {@code 10s}, {@code 5m}, {@code 2h} or {@code 1d}. */
    static Duration span(final String text) {
        final Matcher span = SPAN.matcher(text);
        if (!span.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no span of time: write 500ms, 10s, 5m, 2h or 1d");
        }
        final long figure = Long.parseLong(span.group(1));
        return switch (span.group(2)) {
            case "ms" -> Duration.ofMillis(figure);
            case "s" -> Duration.ofSeconds(figure);
            case "m" -> Duration.ofMinutes(figure);
            case "h" -> Duration.ofHours(figure);
            default -> Duration.ofDays(figure);
        };
    }

    /** As it would be written: the largest unit that leaves nothing over. */
    static String told(final Duration span) {
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

    static int whole(final String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number", e);
        }
    }
}
