package io.millrace.backfill.domain.forecast;

import io.millrace.backfill.domain.job.ShadowTime;
import java.util.Arrays;

/**
 * A projection of the queue up to some job, in order: free cores at that time, and future releases as a heap in arrays with the next one
 * first. Cores are counted regardless of their nodes. A partition is a number; -1 is a partition without a limit.
 */
final class QueueProjection {

    private static final int MIN_LENGTH = 16;

    private long now_s;
    private int idle;
    private int[] free;
    /** Cores that would be free if all jobs with a known end had ended. */
    private int releasable;

    private int[] boundedFree;

    private long[] at_s = new long[MIN_LENGTH];
    private int[] cores = new int[MIN_LENGTH];
    private int[] partition = new int[MIN_LENGTH];
    private int releases;

    QueueProjection(final long now_s, final int idle, final int[] free) {
        this.now_s = now_s;
        this.idle = idle;
        this.free = free.clone();
        this.releasable = idle;
        this.boundedFree = free.clone();
    }

    private QueueProjection(final QueueProjection other) {
        now_s = other.now_s;
        idle = other.idle;
        free = other.free.clone();
        releasable = other.releasable;
        boundedFree = other.boundedFree.clone();
        releases = other.releases;
        at_s = Arrays.copyOf(other.at_s, Math.max(MIN_LENGTH, releases));
        cores = Arrays.copyOf(other.cores, at_s.length);
        partition = Arrays.copyOf(other.partition, at_s.length);
    }

    QueueProjection copy() {
        return new QueueProjection(this);
    }

    /** The number of future releases. */
    int releases() {
        return releases;
    }

    /** Adds a release of cores; ignored if its time is {@link ShadowTime#NEVER}. */
    void release(final long end_s, final int width, final int of) {
        if (end_s >= ShadowTime.NEVER) {
            return;
        }
        releasable += width;
        if (of >= 0) {
            boundedFree[of] += width;
        }
        if (releases == at_s.length) {
            at_s = Arrays.copyOf(at_s, releases * 2);
            cores = Arrays.copyOf(cores, releases * 2);
            partition = Arrays.copyOf(partition, releases * 2);
        }
        int i = releases++;
        while (i > 0 && at_s[(i - 1) >>> 1] > end_s) {
            move((i - 1) >>> 1, i);
            i = (i - 1) >>> 1;
        }
        put(i, end_s, width, of);
    }

    /**
     * Starts the next job, or the tasks of an array one after the other, as soon as their cores are free, and advances the time to the last
     * start. Tasks that start together end together, so they cost as much as one job.
     *
     * @param count how many tasks; 1 for a job
     * @param notBefore_s the earliest start
     * @return the first start; {@link ShadowTime#NEVER} if no known release suffices, and then the job is left out
     */
    long start(final int width, final int count, final int of, final long notBefore_s, final long walltime_s) {
        long first_s = ShadowTime.NEVER;
        int left = count;
        while (left > 0 && width <= releasable && (of < 0 || width <= boundedFree[of])) {
            while (width > idle || of >= 0 && width > free[of]) {
                next();
            }
            now_s = Math.max(now_s, notBefore_s);
            first_s = Math.min(first_s, now_s);
            final int together = Math.min(left, width == 0 ? left : fitting(width, of));
            take(together * width, of);
            release(ShadowTime.after(now_s, walltime_s), together * width, of);
            left -= together;
        }
        return first_s;
    }

    /** How many jobs of this width fit now. */
    private int fitting(final int width, final int of) {
        return (of < 0 ? idle : Math.min(idle, free[of])) / width;
    }

    private void take(final int width, final int of) {
        idle -= width;
        releasable -= width;
        if (of >= 0) {
            free[of] -= width;
            boundedFree[of] -= width;
        }
    }

    private void next() {
        now_s = Math.max(now_s, at_s[0]);
        idle += cores[0];
        if (partition[0] >= 0) {
            free[partition[0]] += cores[0];
        }
        final int last = --releases;
        final long end_s = at_s[last];
        int i = 0;
        for (int child = 1; child < last; child = 2 * i + 1) {
            if (child + 1 < last && at_s[child + 1] < at_s[child]) {
                child++;
            }
            if (at_s[child] >= end_s) {
                break;
            }
            move(child, i);
            i = child;
        }
        put(i, end_s, cores[last], partition[last]);
    }

    private void move(final int from, final int to) {
        put(to, at_s[from], cores[from], partition[from]);
    }

    private void put(final int at, final long end_s, final int width, final int of) {
        at_s[at] = end_s;
        cores[at] = width;
        partition[at] = of;
    }
}
