package io.millrace.agent.slurm.format;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads and writes Slurm's time limits: {@code 30:00}, {@code 1:00:00}, {@code 7-00:00:00}, {@code UNLIMITED}. */
public final class TimeLimits {

    private static final Set<String> NO_LIMIT =
            Set.of("", "UNLIMITED", "Partition_Limit", "NOT_SET", "INVALID", "NONE", "N/A", "INFINITE");

    private TimeLimits() {}

    /**
     * The limit; null means unlimited, not set or unknown.
     *
     * @throws IllegalArgumentException if the text is neither a time nor a known word for none
     */
    static @Nullable public Duration read(final String text) {
        if (NO_LIMIT.contains(text)) {
            return null;
        }
        final int dash = text.indexOf('-');
        final long days = dash < 0 ? 0 : Long.parseLong(text.substring(0, dash));
        long seconds = 0;
        for (final String part : text.substring(dash + 1).split(":")) {
            seconds = seconds * 60 + Long.parseLong(part);
        }
        return Duration.ofDays(days).plusSeconds(seconds);
    }

    /** The limit in full minutes, Slurm's unit, rounded up. */
    public static String write(final Duration limit) {
        return Long.toString((limit.toSeconds() + 59) / 60);
    }
}
