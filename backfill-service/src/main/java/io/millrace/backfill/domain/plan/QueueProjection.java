package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.ShadowTime;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * A queue that runs in order, every job for its whole limit. Cores are counted regardless of their nodes. A partition is a number; -1 is a
 * partition without a limit.
 */
final class QueueProjection {

    private record Release(long at_s, int cores, int partition) {}

    private final Queue<Release> releases = new PriorityQueue<>(Comparator.comparingLong(Release::at_s));
    /** Cores that are free at the time that the projection has reached, of the cluster (last) and of each partition. */
    private final int[] free;
    /** The same if all jobs with a known end had ended. */
    private final int[] releasable;

    /** @param free cores of each partition with a limit, and of the cluster (last) */
    QueueProjection(final int[] free) {
        this.free = free.clone();
        this.releasable = free.clone();
    }

    /** Adds a release of cores; ignored if its time is {@link ShadowTime#NEVER}. */
    void release(final long at_s, final int cores, final int partition) {
        if (at_s < ShadowTime.NEVER) {
            add(releasable, cores, partition);
            releases.add(new Release(at_s, cores, partition));
        }
    }

    /**
     * Starts the next job, or the tasks of an array one after the other, as soon as their cores are free. Tasks that start together end
     * together, so they cost as much as one job.
     *
     * @param count how many tasks; 1 for a job
     * @param from_s the earliest time of the search: no job starts before the one ahead of it
     * @param notBefore_s the earliest start
     * @return the first start and the last one; both {@link ShadowTime#NEVER} if no known release suffices, and then the job is left out
     */
    Starts start(
            final int cores,
            final int count,
            final int partition,
            final long from_s,
            final long notBefore_s,
            final long walltime_s) {
        long first_s = ShadowTime.NEVER;
        long at_s = from_s;
        int left = count;
        while (left > 0 && fitting(releasable, cores, partition) > 0) {
            while (fitting(free, cores, partition) == 0) {
                final Release next = releases.remove();
                at_s = Math.max(at_s, next.at_s);
                add(free, next.cores, next.partition);
            }
            at_s = Math.max(at_s, notBefore_s);
            first_s = Math.min(first_s, at_s);
            final int together = Math.min(left, fitting(free, cores, partition));
            add(free, -together * cores, partition);
            add(releasable, -together * cores, partition);
            release(ShadowTime.after(at_s, walltime_s), together * cores, partition);
            left -= together;
        }
        return new Starts(first_s, at_s);
    }

    /** @param last_s the time that the projection has reached */
    record Starts(long first_s, long last_s) {}

    /** How many jobs of this width fit. */
    private static int fitting(final int[] cores, final int width, final int partition) {
        final int most = partition < 0 ? cores[cores.length - 1] : Math.min(cores[cores.length - 1], cores[partition]);
        return width == 0 ? Integer.MAX_VALUE : Math.max(0, most / width);
    }

    private static void add(final int[] cores, final int by, final int partition) {
        cores[cores.length - 1] += by;
        if (partition >= 0) {
            cores[partition] += by;
        }
    }
}
