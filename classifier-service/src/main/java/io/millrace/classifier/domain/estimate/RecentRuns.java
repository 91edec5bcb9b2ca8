package io.millrace.classifier.domain.estimate;

import java.util.Arrays;

/** The last run times of a group of jobs in seconds. */
final class RecentRuns {

    private final int kept;
    private int[] run_s;
    private int count;

    RecentRuns(final int kept) {
        this.kept = kept;
        this.run_s = new int[Math.min(kept, 2)]; // most groups have few runs
    }

    void add(final long ran_s) {
        if (count == run_s.length && count < kept) {
            run_s = Arrays.copyOf(run_s, Math.min(kept, 2 * count));
        }
        run_s[count++ % run_s.length] = (int) Math.clamp(ran_s, 1, Integer.MAX_VALUE);
        if (count == Integer.MAX_VALUE) {
            count = run_s.length + count % run_s.length; // stays full
        }
    }

    int size() {
        return Math.min(count, run_s.length);
    }

    /** Of the last runs, at most so many. */
    long mean_s(final int last) {
        final int[] runs = last(last);
        return Math.max(
                1, Math.round((double) Arrays.stream(runs).asLongStream().sum() / runs.length));
    }

    /** @param rank from 1, the shortest, to {@link #size} */
    long ranked_s(final int rank) {
        return ranked_s(rank, size());
    }

    /** @param rank from 1, the shortest of the last runs */
    long ranked_s(final int rank, final int last) {
        final int[] sorted = last(last);
        Arrays.sort(sorted);
        return sorted[rank - 1];
    }

    private int[] last(final int most) {
        final int[] runs = new int[Math.min(most, size())];
        for (int i = 0; i < runs.length; i++) {
            runs[i] = run_s[(count - 1 - i) % run_s.length];
        }
        return runs;
    }
}
