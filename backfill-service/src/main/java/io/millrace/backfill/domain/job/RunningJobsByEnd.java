package io.millrace.backfill.domain.job;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Running jobs by expected end; ends and cores are kept in arrays. */
public final class RunningJobsByEnd {

    private static final Comparator<PlannedJob> BY_END = Comparator.comparingLong(PlannedJob::end_s);

    private long[] end_s = new long[64];
    private int[] cores = new int[64];
    private PlannedJob[] jobs = new PlannedJob[64];
    private int first;
    private int end;

    public int first() {
        return first;
    }

    public int end() {
        return end;
    }

    public boolean isEmpty() {
        return first == end;
    }

    public long end_s(final int index) {
        return end_s[index];
    }

    public int cores(final int index) {
        return cores[index];
    }

    public PlannedJob at(final int index) {
        return jobs[index];
    }

    public List<PlannedJob> all() {
        return List.of(Arrays.copyOfRange(jobs, first, end));
    }

    public void add(final PlannedJob job) {
        ensureSpace();
        final int at = placeAfter(job.end_s());
        System.arraycopy(end_s, at, end_s, at + 1, end - at);
        System.arraycopy(cores, at, cores, at + 1, end - at);
        System.arraycopy(jobs, at, jobs, at + 1, end - at);
        put(at, job);
        end++;
    }

    /** Adds many jobs to an empty set. */
    public void addAll(final List<PlannedJob> many) {
        final PlannedJob[] sorted = many.toArray(PlannedJob[]::new);
        Arrays.sort(sorted, BY_END);
        final int length = Math.max(64, sorted.length * 2);
        end_s = new long[length];
        cores = new int[length];
        jobs = new PlannedJob[length];
        first = 0;
        end = 0;
        for (final PlannedJob job : sorted) {
            put(end++, job);
        }
    }

    private void put(final int at, final PlannedJob job) {
        end_s[at] = job.end_s();
        cores[at] = job.cores();
        jobs[at] = job;
    }

    private void ensureSpace() {
        if (end < jobs.length) {
            return;
        }
        final int n = end - first;
        final int length = n > jobs.length / 2 ? jobs.length * 2 : jobs.length;
        end_s = shift(end_s, new long[length], n);
        final int[] width = new int[length];
        System.arraycopy(cores, first, width, 0, n);
        cores = width;
        final PlannedJob[] those = new PlannedJob[length];
        System.arraycopy(jobs, first, those, 0, n);
        jobs = those;
        first = 0;
        end = n;
    }

    private long[] shift(final long[] from, final long[] to, final int n) {
        System.arraycopy(from, first, to, 0, n);
        return to;
    }

    private int placeAfter(final long at_s) {
        int low = first;
        int high = end;
        while (low < high) {
            final int middle = (low + high) >>> 1;
            if (end_s[middle] > at_s) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    public void remove(final PlannedJob job) {
        int at = placeAfter(job.end_s() - 1);
        while (at < end && jobs[at] != job) {
            at++;
        }
        if (at == end) {
            throw new IllegalStateException(job.job().job() + " is not running");
        }
        if (at == first) {
            Arrays.fill(jobs, first, ++first, null);
            return;
        }
        System.arraycopy(end_s, at + 1, end_s, at, end - at - 1);
        System.arraycopy(cores, at + 1, cores, at, end - at - 1);
        System.arraycopy(jobs, at + 1, jobs, at, end - at - 1);
        Arrays.fill(jobs, --end, end + 1, null);
    }
}
