package io.millrace.cli.text;

import java.time.Duration;

/** Formats durations with at most two units. */
public final class AgeFormat {

    private AgeFormat() {}

    /** {@code 42s}, {@code 5m03s}, {@code 2h05m}, {@code 3d04h}. */
    public static String format(final Duration age) {
        final long s = Math.max(0, age.toSeconds());
        if (s < 60) {
            return s + "s";
        }
        if (s < 3600) {
            return "%dm%02ds".formatted(s / 60, s % 60);
        }
        if (s < 86_400) {
            return "%dh%02dm".formatted(s / 3600, s % 3600 / 60);
        }
        return "%dd%02dh".formatted(s / 86_400, s % 86_400 / 3600);
    }
}
