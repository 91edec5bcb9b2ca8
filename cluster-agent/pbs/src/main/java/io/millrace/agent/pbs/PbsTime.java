package io.millrace.agent.pbs;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * PBS's times: {@code Fri Nov 20 12:45:40 2026}, as {@code ctime(3)} writes it, without a zone; or seconds since 1970. It is the program
 * that asks (qstat) that writes the text, in the zone of its own environment.
 */
public final class PbsTime {

    private static final DateTimeFormatter CTIME = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .appendPattern("EEE MMM d HH:mm:ss uuuu")
            .toFormatter(Locale.ROOT);

    private PbsTime() {}

    /** Null if it is not stated, zero, or not readable. */
    public static @Nullable Instant read(final @Nullable String text, final ZoneId zone) {
        if (text == null || text.isBlank()) {
            return null;
        }
        final String words = text.strip().replaceAll("\\s+", " ");
        if (words.matches("\\d{1,12}")) {
            return words.matches("0+") ? null : Instant.ofEpochSecond(Long.parseLong(words));
        }
        try {
            return LocalDateTime.parse(words, CTIME).atZone(zone).toInstant();
        } catch (final DateTimeException e) {
            return null; // "not stated" is what callers make of it, as of a field that is missing
        }
    }
}
