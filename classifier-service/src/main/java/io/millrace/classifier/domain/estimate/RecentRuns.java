package io.millrace.classifier.domain.estimate;

import java.util.Arrays;

/** The last run times of a group of jobs in seconds. */
final class RecentRuns {

    private final int[] run_s;
    private int count;

    RecentRuns(final int kept) {
        this.run_s = new int[kept];
    }

    void add(final long ran_s) {
        run_s[count++ % run_s.length] = (int) Math.clamp(ran_s, 1, Integer.MAX_VALUE);
        if (count == Integer.MAX_VALUE) {
            count = run_s.length + count % run_s.length; // stays full
        }
    }

    int size() {
        return Math.min(count, run_s.length);
    }

    long mean_s() {
        long sum = 0;
        for (int i = 0; i < size(); i++) {
            sum += run_s[i];
        }
        return Math.max(1, Math.round((double) sum / size()));
    }

    /** @param rank from 1, the shortest, to {@link #size} */
    long ranked_s(final int rank) {
        final int[] sorted = Arrays.copyOf(run_s, size());
        Arrays.sort(sorted);
        return sorted[rank - 1];
    }
}
