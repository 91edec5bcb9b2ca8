package io.millrace.lab.planners.experiment.quota;

import io.millrace.simulator.Segment;
import io.millrace.simulator.SimulatedJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The metrics of a policy in one run.
 *
 * @param idle the published R: sum of the idle cores of each hourly round / (cores x hours)
 * @param wasted the same share, with lost work, checkpoints and restarts counted as idle
 * @param preemptions number of preemptions
 * @param lost core-hours of lost work, checkpoints and restarts, over the whole run
 * @param withinQuotaWait_h mean hours until the first start of jobs whose owner is within quota, all running and waiting jobs included
 * @param wait_h mean hours without progress of all jobs
 */
record QuotaMetrics(
        double idle, double wasted, double preemptions, double lost, double withinQuotaWait_h, double wait_h) {

    private static final double HOUR_S = 3600;

    static QuotaMetrics of(final List<SimulatedJob> jobs, final int cores, final int hours, final int quota) {
        final double capacity = (double) cores * hours;
        final double idle = 1 - busyRounds(jobs, hours) / capacity;
        return new QuotaMetrics(
                idle,
                1 - worked(jobs, hours) / capacity,
                jobs.stream().mapToInt(SimulatedJob::preemptions).sum(),
                jobs.stream().mapToLong(SimulatedJob::lostCoreSeconds).sum() / HOUR_S,
                mean(withinQuota(jobs, quota).stream()
                        .mapToDouble(job -> job.start_s() - job.submit_s())
                        .toArray()),
                mean(jobs.stream().mapToDouble(SimulatedJob::wait_s).toArray()));
    }

    private static double mean(final double... seconds) {
        double sum = 0;
        for (final double wait : seconds) {
            sum += wait;
        }
        return seconds.length == 0 ? 0 : sum / seconds.length / HOUR_S;
    }

    /** Core-rounds in use, counted after the decisions of each round. */
    private static double busyRounds(final List<SimulatedJob> jobs, final int hours) {
        double busy = 0;
        for (final SimulatedJob job : jobs) {
            for (final Segment run : job.segments()) {
                final long from = Math.ceilDiv(run.start_s(), 3600L);
                final long until = Math.min(hours, Math.ceilDiv(run.end_s(), 3600L));
                busy += (double) job.cores() * Math.max(0, until - from);
            }
        }
        return busy;
    }

    /** Core-hours of lasting work: of each run the first {@code work_s} after its restart. */
    private static double worked(final List<SimulatedJob> jobs, final int hours) {
        double worked = 0;
        for (final SimulatedJob job : jobs) {
            for (final Segment run : job.segments()) {
                final double inside = Math.min(run.end_s(), hours * HOUR_S) - run.start_s();
                worked += job.cores() * Math.clamp(inside / HOUR_S, 0, run.work_s() / HOUR_S);
            }
        }
        return worked;
    }

    /** Jobs whose owner is within quota, all running and waiting jobs included. */
    static List<SimulatedJob> withinQuota(final List<SimulatedJob> jobs, final int quota) {
        final Map<Long, List<SimulatedJob>> earlier = new HashMap<>();
        final List<SimulatedJob> within = new ArrayList<>();
        for (final SimulatedJob job : jobs) {
            final List<SimulatedJob> open = earlier.computeIfAbsent(job.user(), user -> new ArrayList<>());
            open.removeIf(other -> other.end_s() <= job.submit_s());
            open.add(job);
            if (open.stream().mapToInt(SimulatedJob::cores).sum() <= quota) {
                within.add(job);
            }
        }
        return within;
    }
}
