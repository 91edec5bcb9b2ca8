package io.millrace.backfill.domain;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Run times of ended jobs in seconds: the last two of each user, the last {@value #KEPT} of each class. A job that was preempted and
 * resumed counts as one run.
 */
public final class RunTimeHistory {

    private static final int KEPT = 50;
    private static final int ENOUGH = 5;

    private static final class Last {
        private final int kept;
        private final long[] run_s;
        private final double[] share;
        private int count;

        private Last(final int kept) {
            this.kept = kept;
            this.run_s = new long[kept];
            this.share = new double[kept];
        }

        private void add(final long ran_s, final long asked_s) {
            run_s[count % kept] = ran_s;
            share[count % kept] = asked_s <= 0 ? 1 : Math.min(1, (double) ran_s / asked_s);
            count++;
        }

        private int known() {
            return Math.min(count, kept);
        }
    }

    private final double quantile;
    private long ended;
    private long preemptions;
    private final Map<String, Last> users = new HashMap<>();
    private final Map<String, Last> classes = new HashMap<>();

    /** @param quantile of a class's run times that {@link Estimate#CLASS} uses, above 0, at most 1 */
    public RunTimeHistory(final double quantile) {
        if (!(quantile > 0 && quantile <= 1)) {
            throw new IllegalArgumentException("quantile must be above 0 and at most 1, got " + quantile);
        }
        this.quantile = quantile;
    }

    public RunTimeHistory() {
        this(0.9);
    }

    /** Adds a job that ran to its own end, in seconds of work, with its requested walltime. */
    public void ended(final JobAttributes traits, final long ran_s, final long asked_s) {
        ended++;
        users.computeIfAbsent(traits.user(), u -> new Last(2)).add(ran_s, asked_s);
        if (!traits.jobClass().isEmpty()) {
            classes.computeIfAbsent(traits.jobClass(), c -> new Last(KEPT)).add(ran_s, asked_s);
        }
    }

    /** Counts a job that was preempted for the head job. */
    public void preempted() {
        preemptions++;
    }

    public long endedJobs() {
        return ended;
    }

    public long preemptions() {
        return preemptions;
    }

    /** The mean of the user's last two runs, or of one; without any, the walltime. At least 1, at most the walltime. */
    public long recent2_s(final QueuedJob job) {
        final Last last = users.get(job.attributes().user());
        if (last == null) {
            return job.walltime_s();
        }
        final long mean = last.count == 1 ? last.run_s[0] : (last.run_s[0] + last.run_s[1]) / 2;
        return bounded(job, mean);
    }

    long classQuantile_s(final QueuedJob job) {
        final Last last = enough(job);
        return last == null ? recent2_s(job) : bounded(job, (long) Math.ceil(quantileOf(sorted(last), quantile)));
    }

    /** The share of the walltime that jobs of the same class or user have used, by that quantile; the default without a history. */
    public double share(final QueuedJob job, final double q, final double otherwise) {
        final Last ofClass = enough(job);
        final Last last = ofClass != null ? ofClass : users.get(job.attributes().user());
        if (last == null) {
            return otherwise;
        }
        final double[] shares = Arrays.copyOf(last.share, last.known());
        Arrays.sort(shares);
        return shares[(int) Math.ceil(q * shares.length) - 1];
    }

    private @Nullable Last enough(final QueuedJob job) {
        final Last last = classes.get(job.attributes().jobClass());
        return last == null || last.count < ENOUGH ? null : last;
    }

    private static long[] sorted(final Last last) {
        final long[] runs = Arrays.copyOf(last.run_s, last.known());
        Arrays.sort(runs);
        return runs;
    }

    private static double quantileOf(final long[] sorted, final double q) {
        return sorted[(int) Math.ceil(q * sorted.length) - 1];
    }

    /** For a job that resumes from a checkpoint, the work done is subtracted. */
    private static long bounded(final QueuedJob job, final long run_s) {
        return Math.clamp(run_s - job.attributes().completed_s(), 1, Math.max(1, job.walltime_s()));
    }

    /** Its expected run time by this source, at most its walltime. */
    public long expected_s(final Estimate by, final QueuedJob job) {
        return Math.min(job.walltime_s(), estimate_s(by, job));
    }

    private long estimate_s(final Estimate by, final QueuedJob job) {
        return switch (by) {
            case REQUESTED -> job.walltime_s();
            case ACTUAL ->
                job.attributes().actual_s() <= 0
                        ? job.walltime_s()
                        : bounded(job, job.attributes().actual_s());
            case RECENT2 -> recent2_s(job);
            case CLASS -> classQuantile_s(job);
            case PUBLISHED, PUBLISHED_RECENT2, PUBLISHED_P50, PUBLISHED_P80, PUBLISHED_P95 ->
                job.attributes().published_s() <= 0
                        ? recent2_s(job)
                        : bounded(job, job.attributes().published_s());
        };
    }
}
