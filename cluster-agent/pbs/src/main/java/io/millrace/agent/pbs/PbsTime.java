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

    private static final DateTimeFormatter ACCOUNTING = DateTimeFormatter.ofPattern("MM/dd/uuuu HH:mm:ss", Locale.ROOT);

    private PbsTime() {}

    /** A time of the accounting log, e.g. {@code 11/20/2026 12:47:47}; null if unreadable. */
    public static @Nullable Instant accounting(final String text, final ZoneId zone) {
        try {
            return LocalDateTime.parse(text.strip(), ACCOUNTING).atZone(zone).toInstant();
        } catch (final DateTimeException e) {
            return null; // callers decide what a record without a time means
        }
    }

    /** Returns null if the time is missing, zero or unreadable. */
    public static @Nullable Instant read(final @Nullable String text, final ZoneId zone) {
        if (text == null || text.isBlank()) {
            return null;
        }
        final String time = text.strip().replaceAll("\\s+", " ");
        if (time.matches("\\d{1,12}")) {
            return time.matches("0+") ? null : Instant.ofEpochSecond(Long.parseLong(time));
        }
        try {
            return LocalDateTime.parse(time, CTIME).atZone(zone).toInstant();
        } catch (final DateTimeException e) {
            return null; // callers treat it like a missing time
        }
    }
}
