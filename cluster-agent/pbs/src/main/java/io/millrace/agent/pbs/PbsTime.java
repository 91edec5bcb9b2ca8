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
 * Reads times of PBS: {@code Fri Nov 20 12:45:40 2026} as written by {@code ctime(3)}, without a zone, or seconds since 1970.
 * {@code qstat} writes times in the time zone of its own environment.
 */
public final class PbsTime {

    private static final DateTimeFormatter CTIME = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .appendPattern("EEE MMM d HH:mm:ss uuuu")
            .toFormatter(Locale.ROOT);

    private PbsTime() {}

    /** Returns null if the time is missing, zero or unreadable. */
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
            return null; // callers treat it like a missing time
        }
    }
}
