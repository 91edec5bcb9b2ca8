package io.millrace.agent.pbs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes durations of PBS: {@code HH:MM:SS} with any number of hours ({@code 1200:00:00}), {@code MM:SS},
 * {@code DD:HH:MM:SS}, or seconds.
 */
public final class PbsDuration {

    private PbsDuration() {}

    /** Returns null if the duration is unlimited, missing or unreadable. */
    public static @Nullable Duration read(final @Nullable String text) {
        if (text == null || !text.matches("\\d{1,12}(:\\d{1,9}){0,3}(\\.\\d+)?")) {
            return null;
        }
        final String[] parts = text.replaceFirst("\\..*", "").split(":");
        long seconds = 0;
        for (int at = 0; at < parts.length; at++) {
            final boolean hoursAfterDays = parts.length == 4 && at == 1;
            seconds = seconds * (hoursAfterDays ? 24 : 60) + Long.parseLong(parts[at]);
        }
        return Duration.ofSeconds(seconds);
    }

    /** Writes {@code HH:MM:SS}, rounded up to full seconds. */
    public static String write(final Duration duration) {
        final long seconds = duration.toSeconds() + (duration.toNanosPart() > 0 ? 1 : 0);
        return "%02d:%02d:%02d".formatted(seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
}
