package io.millrace.backfill.domain.job;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Waiting jobs in order. Cores and lengths are kept in arrays, with lower bounds per block, so that the search for the next job that could
 * be backfilled skips whole blocks. A removed job leaves a gap; gaps are removed once there are many.
 */
public final class WaitingQueue {

    /** The width of a gap: too wide for every cluster. */
    private static final int GONE = Integer.MAX_VALUE;

    private static final int SHIFT = 5;
    private static final int BLOCK = 1 << SHIFT;

    private final Comparator<PlannedJob> order;
    private PlannedJob[] jobs = new PlannedJob[BLOCK];
    private int[] cores = new int[BLOCK];
    private long[] length_s = new long[BLOCK];
    private int[] leastCores = new int[1];
    private long[] leastLength_s = new long[1];
    private int first;
    private int end;
    private int size;
    private long reorders;

    public WaitingQueue(final Comparator<PlannedJob> order) {
        this.order = order;
    }

    public int size() {
        return size;
    }

    public boolean isBefore(final PlannedJob one, final PlannedJob other) {
        return order.compare(one, other) < 0;
    }

    /** How often the whole queue has been reordered. */
    public long reorders() {
        return reorders;
    }

    /** @param foreseen_s the length with which it is tried for backfill, in seconds */
    public void add(final PlannedJob job, final long foreseen_s) {
        if (end == jobs.length) {
            compactOrGrow();
        }
        int at = end;
        if (end > first && order.compare(jobs[end - 1], job) > 0) {
            at = placeOf(job);
            System.arraycopy(jobs, at, jobs, at + 1, end - at);
            System.arraycopy(cores, at, cores, at + 1, end - at);
            System.arraycopy(length_s, at, length_s, at + 1, end - at);
        }
        jobs[at] = job;
        cores[at] = job.cores();
        length_s[at] = foreseen_s;
        end++;
        size++;
        if (at == end - 1) {
            bound(at);
        } else {
            boundFrom(at);
        }
    }

    /** Adds many jobs to an empty queue. */
    public void addAll(final List<PlannedJob> many, final ToLongFunction<PlannedJob> foreseen_s) {
        final int blocks = Math.max(1, Math.ceilDiv(many.size(), BLOCK));
        jobs = many.toArray(new PlannedJob[blocks << SHIFT]);
        cores = new int[blocks << SHIFT];
        length_s = new long[blocks << SHIFT];
        leastCores = new int[blocks];
        leastLength_s = new long[blocks];
        end = many.size();
        size = end;
        sort(foreseen_s);
    }

    /** The index of the first job that comes after it. */
    private int placeOf(final PlannedJob job) {
        int low = first;
        int high = end;
        while (low < high) {
            final int middle = (low + high) >>> 1;
            if (order.compare(jobs[middle], job) > 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    public void remove(final PlannedJob job) {
        removeAt(indexOf(job));
    }

    void removeAt(final int index) {
        cores[index] = GONE;
        size--;
        while (first < end && cores[first] == GONE) {
            first++;
        }
        if (size == 0) {
            Arrays.fill(jobs, 0, end, null);
            first = 0;
            end = 0;
        }
    }

    public int indexOf(final PlannedJob job) {
        int at = first;
        int high = end;
        while (at < high) {
            final int middle = (at + high) >>> 1;
            if (order.compare(jobs[middle], job) >= 0) {
                high = middle;
            } else {
                at = middle + 1;
            }
        }
        while (at < end && jobs[at] != job) {
            at++;
        }
        if (at == end || cores[at] == GONE) {
            throw new IllegalStateException(job.job().job() + " is not in the queue");
        }
        return at;
    }

    /** Index of the first job at or after this index; {@code end()} if there is none. */
    public int next(final int from) {
        int i = Math.max(from, first);
        while (i < end && cores[i] == GONE) {
            i++;
        }
        return i;
    }

    public int end() {
        return end;
    }

    public PlannedJob at(final int index) {
        return jobs[index];
    }

    public long length_s(final int index) {
        return length_s[index];
    }

    /**
     * As {@link #next}, but skips jobs that cannot be backfilled.
     *
     * @param idle a job must need at most this many cores
     * @param window_s a job must end within this time, or need at most {@code beside} cores
     */
    public int nextThatMayPass(final int from, final int idle, final long window_s, final int beside) {
        int i = Math.max(from, first);
        while (i < end) {
            if ((i & (BLOCK - 1)) == 0 && noneMayPass(i >> SHIFT, idle, window_s, beside)) {
                i += BLOCK;
                continue;
            }
            if (cores[i] <= idle && (length_s[i] <= window_s || cores[i] <= beside) && cores[i] != GONE) {
                return i;
            }
            i++;
        }
        return end;
    }

    private boolean noneMayPass(final int block, final int idle, final long window_s, final int beside) {
        return leastCores[block] > idle || leastLength_s[block] > window_s && leastCores[block] > beside;
    }

    /** Sorts the queue again after values that the order depends on have changed. */
    public void reorder(final ToLongFunction<PlannedJob> foreseen_s) {
        compact();
        sort(foreseen_s);
        reorders++;
    }

    private void sort(final ToLongFunction<PlannedJob> foreseen_s) {
        Arrays.sort(jobs, 0, end, order);
        for (int i = 0; i < end; i++) {
            cores[i] = jobs[i].cores();
            length_s[i] = foreseen_s.applyAsLong(jobs[i]);
        }
        boundFrom(0);
    }

    private void compactOrGrow() {
        if (size > end - (end >> 2)) {
            final int more = end * 2;
            jobs = Arrays.copyOf(jobs, more);
            cores = Arrays.copyOf(cores, more);
            length_s = Arrays.copyOf(length_s, more);
            leastCores = Arrays.copyOf(leastCores, more >> SHIFT);
            leastLength_s = Arrays.copyOf(leastLength_s, more >> SHIFT);
        } else {
            compact();
            boundFrom(0);
        }
    }

    private void compact() {
        int to = 0;
        for (int i = first; i < end; i++) {
            if (cores[i] != GONE) {
                jobs[to] = jobs[i];
                cores[to] = cores[i];
                length_s[to++] = length_s[i];
            }
        }
        Arrays.fill(jobs, to, end, null);
        first = 0;
        end = to;
    }

    private void bound(final int index) {
        final int block = index >> SHIFT;
        final boolean opens = (index & (BLOCK - 1)) == 0;
        leastCores[block] = opens ? cores[index] : Math.min(leastCores[block], cores[index]);
        leastLength_s[block] = opens ? length_s[index] : Math.min(leastLength_s[block], length_s[index]);
    }

    private void boundFrom(final int index) {
        for (int i = index & -BLOCK; i < end; i++) {
            bound(i);
        }
    }
}
