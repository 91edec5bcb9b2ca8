package io.millrace.agent.slurm;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Slurm's points in time, asked for in seconds since 1970; {@code N/A}, {@code Unknown} and {@code None} where there is none. */
final class Timestamps {

    private static final long NEVER = 0xFFFF_FFFEL; // NO_VAL, and above it INFINITE

    private Timestamps() {}

    /**
     * Null where there is none.
     *
     * @throws IllegalArgumentException if it is neither a time nor a word for none
     */
    static @Nullable Instant read(final String text) {
        if (text.isEmpty() || !Character.isDigit(text.charAt(0))) {
            return switch (text) {
                case "", "N/A", "n/a", "NONE", "None", "Unknown", "INVALID", "Invalid", "(null)" -> null;
                default -> throw new IllegalArgumentException("'" + text + "' is no time in seconds since 1970");
            };
        }
        final long seconds = Long.parseLong(text);
        return seconds == 0 || seconds >= NEVER ? null : Instant.ofEpochSecond(seconds);
    }
}
