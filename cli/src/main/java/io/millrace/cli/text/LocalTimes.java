package io.millrace.cli.text;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/** Times of the API in the time zone of the user, in whole seconds. */
public final class LocalTimes {

    private static final int WITHOUT_SECONDS = "2026-03-01T12:00".length();

    private LocalTimes() {}

    /** {@code 2026-03-01T12:00:00}, as Slurm writes times. */
    public static String of(final String instant) {
        final String local = local(instant).toString();
        return local.length() == WITHOUT_SECONDS ? local + ":00" : local;
    }

    /** {@code 12:00:00} on the same day, otherwise {@code 03-01T12:00}. */
    static String brief(final String instant, final Instant now) {
        final String time = of(instant);
        final int date = "2026-03-01T".length();
        return time.startsWith(of(now.toString()).substring(0, date))
                ? time.substring(date)
                : time.substring("2026-".length(), WITHOUT_SECONDS);
    }

    private static LocalDateTime local(final String instant) {
        return LocalDateTime.ofInstant(Instant.parse(instant), ZoneId.systemDefault())
                .truncatedTo(ChronoUnit.SECONDS);
    }
}
