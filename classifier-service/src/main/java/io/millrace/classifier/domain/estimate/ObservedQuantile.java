package io.millrace.classifier.domain.estimate;

/** A quantile of the last runs of a group, and how often jobs have ended within it. */
final class ObservedQuantile {

    static final int MOST_RUNS = 20;
    private static final int RUNS = 8;

    /** Until this many ends were observed, the theoretical confidence has more weight than the observed one. */
    private static final double PRIOR = 20;

    private final double quantile;
    /** How many of the last runs count: eight, or more if a large quantile needs them to be exceeded at all. */
    private final int window;
    /** By level of the group and number of runs: how many jobs had such an estimate when they ended, and how many ended within it. */
    private final long[][] ended;

    private final long[][] inTime;

    /** @param quantile above 0, at most 1; larger values overestimate more and underestimate less */
    ObservedQuantile(final double quantile, final int levels) {
        if (!(quantile > 0 && quantile <= 1)) {
            throw new IllegalArgumentException("quantile must be above 0 and at most 1, got " + quantile);
        }
        this.quantile = quantile;
        // The largest of n runs is the quantile n / (n + 1).
        this.window = (int) Math.clamp(Math.ceil(quantile / (1 - quantile) - 1e-9), RUNS, MOST_RUNS);
        this.ended = new long[levels][window + 1];
        this.inTime = new long[levels][window + 1];
    }

    long expected_s(final RecentRuns of) {
        return of.ranked_s(rank(runs(of)), window);
    }

    /** How many runs the quantile is based on. */
    int runs(final RecentRuns of) {
        return Math.min(of.size(), window);
    }

    void ended(final int level, final RecentRuns before, final boolean wasInTime) {
        ended[level][runs(before)]++;
        inTime[level][runs(before)] += wasInTime ? 1 : 0;
    }

    /**
     * If a job and the n runs before it are alike, each is the longest with the same probability, so the k-th is not exceeded with k / (n + 1).
     * Users change what they run, so what was observed of such estimates replaces this by and by.
     */
    int confidencePercent(final int level, final RecentRuns of) {
        final int runs = runs(of);
        final double ideal = (double) rank(runs) / (runs + 1);
        final double share = (inTime[level][runs] + PRIOR * ideal) / (ended[level][runs] + PRIOR);
        return Math.clamp(Math.round(100 * share), 1, 100);
    }

    private int rank(final int runs) {
        return Math.clamp((int) Math.ceil(quantile * (runs + 1) - 1e-9), 1, runs);
    }
}
