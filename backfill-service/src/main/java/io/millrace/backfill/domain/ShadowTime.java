package io.millrace.backfill.domain;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A time in whole seconds since the epoch at which cores become free, by upper bounds of run time. Jobs without a limit end
 * {@link #NEVER} for planning: beyond every real time, but still a time that arithmetic can compare.
 */
public record ShadowTime(long second) implements Comparable<ShadowTime> {

    public static final long NEVER = Long.MAX_VALUE / 4;

    static long limit(final @Nullable Duration walltime) {
        return walltime == null ? NEVER : Math.min(NEVER, ceil(walltime.getSeconds(), walltime.getNano()));
    }

    static long after(final Instant start, final @Nullable Duration walltime) {
        return walltime == null ? NEVER : after(ceil(start.getEpochSecond(), start.getNano()), limit(walltime));
    }

    static long after(final long start_s, final long walltime_s) {
        return walltime_s >= NEVER ? NEVER : Math.min(NEVER, start_s + walltime_s);
    }

    private static long ceil(final long seconds, final int nanos) {
        return nanos > 0 ? seconds + 1 : seconds;
    }

    public boolean isForeseeable() {
        return second < NEVER;
    }

    /** Null if it cannot be foreseen. */
    public @Nullable Instant instant() {
        return isForeseeable() ? Instant.ofEpochSecond(second) : null;
    }

    @Override
    public int compareTo(final ShadowTime other) {
        return Long.compare(second, other.second);
    }

    @Override
    public String toString() {
        return isForeseeable() ? Instant.ofEpochSecond(second).toString() : "an unforeseeable time";
    }
}
