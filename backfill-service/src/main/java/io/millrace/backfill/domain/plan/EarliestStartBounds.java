package io.millrace.backfill.domain.plan;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Lower bounds for the start of jobs, valid while capacity only decreases: if a job cannot start before some time, no job that is at least
 * as wide and as long can. Bounds are exact for equal sizes, and in steps of an eighth of a power of two for larger ones.
 *
 * <p>Without these bounds every search passes through all the gaps that were too short for earlier jobs: n^2 steps for n jobs. Times are
 * seconds.
 */
final class EarliestStartBounds {

    /** Eight steps per power of two. */
    private static final int FINE = 3;

    private static final int STEPS = step(Integer.MAX_VALUE) + 2;

    private record Size(int cores, long length_s) {}

    private final Map<Size, Long> exactly = new HashMap<>();
    /** A Fenwick tree of Fenwick trees: the latest bound of all sizes up to a step. */
    private final long[][] upTo_s = new long[STEPS][];

    /** The time before which no job of this size fits; {@link Long#MIN_VALUE} if not known. */
    long notBefore_s(final int cores, final long length_s) {
        long latest = exactly.getOrDefault(new Size(cores, length_s), Long.MIN_VALUE);
        for (int i = step(cores) + 1; i > 0; i -= i & -i) {
            final long[] row = upTo_s[i];
            for (int j = row == null ? 0 : step(length_s) + 1; j > 0; j -= j & -j) {
                latest = Math.max(latest, row[j]);
            }
        }
        return latest;
    }

    void record(final int cores, final long length_s, final long at_s) {
        exactly.put(new Size(cores, length_s), at_s);
        if (length_s >= Integer.MAX_VALUE) {
            return;
        }
        for (int i = stepFrom(cores) + 1; i < STEPS; i += i & -i) {
            if (upTo_s[i] == null) {
                upTo_s[i] = new long[STEPS];
                Arrays.fill(upTo_s[i], Long.MIN_VALUE);
            }
            final long[] row = upTo_s[i];
            for (int j = stepFrom(length_s) + 1; j < STEPS; j += j & -j) {
                row[j] = Math.max(row[j], at_s);
            }
        }
    }

    /** The last step that begins at or below this value. */
    private static int step(final long value) {
        final long bounded = Math.clamp(value, 0, Integer.MAX_VALUE);
        if (bounded < 1 << FINE + 1) {
            return (int) bounded;
        }
        final int power = 63 - Long.numberOfLeadingZeros(bounded);
        return (power - FINE << FINE) + (int) (bounded >> power - FINE);
    }

    /** The first step that begins at or above this value. */
    private static int stepFrom(final long value) {
        return value <= 0 ? 0 : step(value - 1) + 1;
    }
}
