package io.millrace.simulator;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The figures of a run; times in seconds.
 *
 * @param meanBoundedSlowdown mean of max(1, (wait + run) / max(10 s, run))
 * @param utilisation core-seconds run / (cores x makespan)
 * @param makespan_s from the first submission to the last end
 */
public record Summary(
        int jobs,
        int cores,
        double meanWait_s,
        double medianWait_s,
        long p95Wait_s,
        long maxWait_s,
        double meanBoundedSlowdown,
        double utilisation,
        long makespan_s,
        int backfilled) {

    private static final double BOUND_S = 10;

    public static Summary of(final List<SimulatedJob> jobs, final int cores) {
        if (jobs.isEmpty()) {
            return new Summary(0, cores, 0, 0, 0, 0, 0, 0, 0, 0);
        }
        final long[] waits =
                jobs.stream().mapToLong(SimulatedJob::wait_s).sorted().toArray();
        final int n = waits.length;
        final long first = jobs.stream().mapToLong(SimulatedJob::submit_s).min().getAsLong();
        final long last = jobs.stream().mapToLong(SimulatedJob::end_s).max().getAsLong();
        final double work = jobs.stream()
                .mapToDouble(job -> (double) job.run_s() * job.cores())
                .sum();
        return new Summary(
                n,
                cores,
                Arrays.stream(waits).average().getAsDouble(),
                (waits[(n - 1) / 2] + waits[n / 2]) / 2.0,
                waits[(int) Math.ceil(0.95 * n) - 1],
                waits[n - 1],
                jobs.stream().mapToDouble(Summary::slowdown).average().getAsDouble(),
                last == first ? 0 : work / ((double) cores * (last - first)),
                last - first,
                (int) jobs.stream().filter(SimulatedJob::backfilled).count());
    }

    private static double slowdown(final SimulatedJob job) {
        return Math.max(1, (job.wait_s() + job.run_s()) / Math.max(BOUND_S, job.run_s()));
    }

    /** One JSON object, one figure a line. */
    public String json() {
        return String.format(
                Locale.ROOT,
                """
                {
                  "jobs": %d,
                  "cores": %d,
                  "mean_wait_s": %.6f,
                  "median_wait_s": %.1f,
                  "p95_wait_s": %d,
                  "max_wait_s": %d,
                  "mean_bounded_slowdown_10s": %.6f,
                  "utilisation": %.6f,
                  "makespan_s": %d,
                  "backfilled": %d
                }
                """,
                jobs,
                cores,
                meanWait_s,
                medianWait_s,
                p95Wait_s,
                maxWait_s,
                meanBoundedSlowdown,
                utilisation,
                makespan_s,
                backfilled);
    }
}
