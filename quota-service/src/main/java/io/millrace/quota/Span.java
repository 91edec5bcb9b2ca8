package io.millrace.quota;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A span as people write it: {@code 14d}, {@code 36h}, {@code 90m}. */
final class Span {

    private static final Pattern FORM = Pattern.compile("(\\d{1,6})([dhms])");

    private Span() {}

    /** @throws IllegalArgumentException naming the form */
    static Duration of(final String text) {
        final Matcher span = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!span.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a span such as 14d, 36h or 90m");
        }
        final long count = Long.parseLong(span.group(1));
        return switch (span.group(2)) {
            case "d" -> Duration.ofDays(count);
            case "h" -> Duration.ofHours(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofSeconds(count);
        };
    }
}
