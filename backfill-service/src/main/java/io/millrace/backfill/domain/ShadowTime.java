package io.millrace.backfill.domain;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A time in whole seconds since the epoch at which enough cores become free, by upper bounds of run time. A job without a limit ends at
 * {@link #NEVER}: later than every real time, but still a number that can be compared.
 */
public record ShadowTime(long second) implements Comparable<ShadowTime> {

    public static final long NEVER = Long.MAX_VALUE / 4;

    static long limit(final @Nullable Duration walltime) {
        return walltime == null ? NEVER : Math.min(NEVER, ceil(walltime.getSeconds(), walltime.getNano()));
    }

    public static long after(final Instant start, final @Nullable Duration walltime) {
        return walltime == null ? NEVER : after(ceil(start.getEpochSecond(), start.getNano()), limit(walltime));
    }

    public static long after(final long start_s, final long walltime_s) {
        return walltime_s >= NEVER ? NEVER : Math.min(NEVER, start_s + walltime_s);
    }

    private static long ceil(final long seconds, final int nanos) {
        return nanos > 0 ? seconds + 1 : seconds;
    }

    public boolean isForeseeable() {
        return second < NEVER;
    }

    /** Null if it is not foreseeable. */
    public @Nullable Instant instant() {
        return isForeseeable() ? Instant.ofEpochSecond(second) : null;
    }

    @Override
    public int compareTo(final ShadowTime other) {
        return Long.compare(second, other.second);
    }

    @Override
    public String toString() {
        return isForeseeable() ? Instant.ofEpochSecond(second).toString() : "an unknown time";
    }
}
