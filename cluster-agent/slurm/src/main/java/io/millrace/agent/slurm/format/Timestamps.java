package io.millrace.agent.slurm.format;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads Slurm's times, which queries request in seconds since 1970; {@code N/A}, {@code Unknown} and {@code None} mean no time. */
public final class Timestamps {

    private static final long NEVER = 0xFFFF_FFFEL; // NO_VAL, and above it INFINITE

    private Timestamps() {}

    /**
     * The time, or null if Slurm has none.
     *
     * @throws IllegalArgumentException if the text is neither a time nor a known word for none
     */
    static @Nullable public Instant read(final String text) {
        if (text.isEmpty() || !Character.isDigit(text.charAt(0))) {
            return switch (text) {
                case "", "N/A", "n/a", "NONE", "None", "Unknown", "INVALID", "Invalid", "(null)" -> null;
                default -> throw new IllegalArgumentException("'" + text + "' is not a time in seconds since 1970");
            };
        }
        final long seconds = Long.parseLong(text);
        return seconds == 0 || seconds >= NEVER ? null : Instant.ofEpochSecond(seconds);
    }
}
