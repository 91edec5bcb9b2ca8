package io.millrace.backfill.domain.capacity;

import io.millrace.backfill.domain.ShadowTime;
import io.millrace.decide.NodeRequirement;
import io.millrace.decide.NodeShare;
import java.util.Arrays;

/** Free cores, memory and GPUs of one node over time, as levels that each last until the next. Times are seconds. */
final class NodeProfile {

    private final int total;
    private long[] at_s = {Long.MIN_VALUE, 0};
    private int[] cores = new int[2];
    private long[] memory_mib = new long[2];
    private int[] gpus = new int[2];
    private int size = 1;

    /**
     * @param total cores of the node
     * @param free before anything is taken
     */
    NodeProfile(final int total, final NodeShare free) {
        this.total = total;
        cores[0] = free.cores();
        memory_mib[0] = free.memoryMib();
        gpus[0] = free.gpus();
    }

    /** Takes a share from one time (inclusive) to another (exclusive), or releases it if {@code sign} is -1. */
    void take(final NodeShare share, final int sign, final long from_s, final long until_s) {
        if (from_s >= until_s) {
            return;
        }
        final int first = split(from_s);
        final int end = split(until_s);
        for (int i = first; i < end; i++) {
            cores[i] -= sign * share.cores();
            memory_mib[i] -= sign * share.memoryMib();
            gpus[i] -= sign * share.gpus();
        }
        join(end);
        join(first);
    }

    /** The earliest time, not before {@code from_s}, at which the part fits for this length; {@link ShadowTime#NEVER} if there is none. */
    long earliest(final NodeRequirement part, final long from_s, final long length_s) {
        int i = levelAt(from_s);
        long start = from_s;
        while (i < size && start < ShadowTime.NEVER) {
            if (!part.fits(cores[i], memory_mib[i], gpus[i], total)) {
                start = end_s(i);
            } else if (end_s(i) >= ShadowTime.after(start, length_s)) {
                return start;
            }
            i++;
        }
        return ShadowTime.NEVER;
    }

    /** Whether the part fits during the whole period. */
    boolean fits(final NodeRequirement part, final long from_s, final long until_s) {
        for (int i = levelAt(from_s); i < size && (i == 0 || at_s[i] < until_s); i++) {
            if (!part.fits(cores[i], memory_mib[i], gpus[i], total)) {
                return false;
            }
        }
        return true;
    }

    /** What is free during the whole period. */
    NodeShare leastFree(final int node, final long from_s, final long until_s) {
        int i = levelAt(from_s);
        int leastCores = cores[i];
        long leastMemory_mib = memory_mib[i];
        int leastGpus = gpus[i];
        for (i++; i < size && at_s[i] < until_s; i++) {
            leastCores = Math.min(leastCores, cores[i]);
            leastMemory_mib = Math.min(leastMemory_mib, memory_mib[i]);
            leastGpus = Math.min(leastGpus, gpus[i]);
        }
        return new NodeShare(node, leastCores, leastMemory_mib, leastGpus);
    }

    /** The next time at which something is released. */
    long nextRelease(final long after_s) {
        for (int i = levelAt(after_s) + 1; i < size; i++) {
            if (cores[i] > cores[i - 1] || memory_mib[i] > memory_mib[i - 1] || gpus[i] > gpus[i - 1]) {
                return at_s[i];
            }
        }
        return ShadowTime.NEVER;
    }

    /** Removes the levels that ended before this time. */
    void forgetUntil(final long time_s) {
        final int current = levelAt(time_s);
        if (current > 0) {
            shift(current, 0);
            at_s[0] = Long.MIN_VALUE;
        }
    }

    private long end_s(final int level) {
        return level + 1 < size ? at_s[level + 1] : ShadowTime.NEVER;
    }

    private int levelAt(final long time_s) {
        int low = 0;
        int high = size;
        while (high - low > 1) {
            final int middle = (low + high) >>> 1;
            if (at_s[middle] <= time_s) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** @return the index of the level that begins then, inserted if necessary */
    private int split(final long time_s) {
        final int level = levelAt(time_s);
        if (at_s[level] == time_s) {
            return level;
        }
        shift(level, level + 1);
        at_s[level + 1] = time_s;
        return level + 1;
    }

    private void join(final int level) {
        if (level > 0
                && cores[level] == cores[level - 1]
                && memory_mib[level] == memory_mib[level - 1]
                && gpus[level] == gpus[level - 1]) {
            shift(level + 1, level);
        }
    }

    /** Moves the levels from an index on. Moving them by one to a higher index duplicates one level. */
    private void shift(final int from, final int to) {
        final int moved = size - from;
        if (to + moved > at_s.length) {
            final int length = 2 * at_s.length;
            at_s = Arrays.copyOf(at_s, length);
            cores = Arrays.copyOf(cores, length);
            memory_mib = Arrays.copyOf(memory_mib, length);
            gpus = Arrays.copyOf(gpus, length);
        }
        System.arraycopy(at_s, from, at_s, to, moved);
        System.arraycopy(cores, from, cores, to, moved);
        System.arraycopy(memory_mib, from, memory_mib, to, moved);
        System.arraycopy(gpus, from, gpus, to, moved);
        size = to + moved;
    }
}
