package io.millrace.simulator;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The results of a run; times in seconds.
 *
 * @param meanWait_s mean time between submission and end without progress
 * @param meanBoundedSlowdown mean of max(1, (wait + run) / max(10 s, run))
 * @param utilisation core-seconds of work / (cores x makespan)
 * @param makespan_s from the first submission to the last end
 * @param idleShare idle core-seconds / (cores x makespan)
 * @param backfilled jobs whose first start was a backfill
 * @param checkpointed jobs that were preempted with a checkpoint
 * @param requeued jobs that were preempted and lost their work
 * @param lostCoreSeconds core-seconds without progress: checkpoints, restarts, lost work
 * @param reserved jobs that held a reservation at the head of the queue
 * @param meanLate_s mean delay of these jobs after their earliest reservation
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
        double idleShare,
        int backfilled,
        int checkpointed,
        int requeued,
        long lostCoreSeconds,
        int reserved,
        double meanLate_s,
        long maxLate_s) {

    private static final double BOUND_S = 10;

    public static Summary of(final List<SimulatedJob> jobs, final int cores) {
        if (jobs.isEmpty()) {
            return new Summary(0, cores, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
        }
        final long[] waits =
                jobs.stream().mapToLong(SimulatedJob::wait_s).sorted().toArray();
        final int n = waits.length;
        final long first = jobs.stream().mapToLong(SimulatedJob::submit_s).min().getAsLong();
        final long last = jobs.stream().mapToLong(SimulatedJob::end_s).max().getAsLong();
        final double work = jobs.stream()
                .mapToDouble(job -> (double) job.run_s() * job.cores())
                .sum();
        final long lost = jobs.stream().mapToLong(SimulatedJob::lostCoreSeconds).sum();
        final double capacity = (double) cores * (last - first);
        return new Summary(
                n,
                cores,
                Arrays.stream(waits).average().getAsDouble(),
                (waits[(n - 1) / 2] + waits[n / 2]) / 2.0,
                waits[(int) Math.ceil(0.95 * n) - 1],
                waits[n - 1],
                jobs.stream().mapToDouble(Summary::slowdown).average().getAsDouble(),
                last == first ? 0 : work / capacity,
                last - first,
                last == first ? 1 : 1 - (work + lost) / capacity,
                (int) jobs.stream().filter(SimulatedJob::backfilled).count(),
                (int) jobs.stream().filter(job -> job.checkpoints() > 0).count(),
                (int) jobs.stream()
                        .filter(job -> job.preemptions() > job.checkpoints())
                        .count(),
                lost,
                (int) jobs.stream().filter(SimulatedJob::heldReservation).count(),
                jobs.stream()
                        .filter(SimulatedJob::heldReservation)
                        .mapToLong(SimulatedJob::late_s)
                        .average()
                        .orElse(0),
                jobs.stream().mapToLong(SimulatedJob::late_s).max().getAsLong());
    }

    private static double slowdown(final SimulatedJob job) {
        return Math.max(1, (job.wait_s() + job.run_s()) / Math.max(BOUND_S, job.run_s()));
    }

    /**
     * A JSON object with one value per line.
     *
     * @param wall_s duration of the simulation, the only value that differs between runs; it comes last
     */
    public String json(final double wall_s) {
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
                  "idle_share": %.6f,
                  "backfilled": %d,
                  "checkpointed_jobs": %d,
                  "requeued_jobs": %d,
                  "lost_core_seconds": %d,
                  "reserved_jobs": %d,
                  "mean_late_s": %.3f,
                  "max_late_s": %d,
                  "wall_time_s": %.3f
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
                idleShare,
                backfilled,
                checkpointed,
                requeued,
                lostCoreSeconds,
                reserved,
                meanLate_s,
                maxLate_s,
                wall_s);
    }
}
