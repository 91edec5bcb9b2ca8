package io.millrace.lab.planners.experiment.classification;

import io.millrace.classifier.domain.estimate.JobProfile;
import io.millrace.classifier.domain.estimate.RunTimeEstimator;
import io.millrace.model.policy.RunTimeEstimate;
import io.millrace.simulator.SimulatedJob;
import io.millrace.simulator.swf.SwfJob;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How well an estimator predicted the run times of a trace. Each job is estimated when it is submitted, from the jobs that ended before; a
 * job without an estimate counts with its requested walltime.
 *
 * @param accuracy mean of min(estimate, run time) / max(estimate, run time)
 * @param underestimated share of jobs that ran longer than estimated
 * @param meanUnder_s sum of all underestimation, per job
 * @param meanOver_s sum of all overestimation, per job
 * @param confidence mean confidence of the estimates; null if none has one
 * @param inTime share of the jobs with an estimate that ended within it; null if there is none
 */
record EstimateAccuracy(
        int jobs,
        double accuracy,
        double underestimated,
        double meanUnder_s,
        double meanOver_s,
        @Nullable Double confidence,
        @Nullable Double inTime) {

    /** Counts one job after the other. */
    private static final class Tally {
        private int jobs;
        private double accuracy;
        private int under;
        private double under_s;
        private double over_s;
        private int estimates;
        private double confidence;
        private int inTime;

        private void add(final long run_s, final long requested_s, final Optional<RunTimeEstimate> estimate) {
            final long expected_s = estimate.map(e -> e.expected().toSeconds()).orElse(requested_s);
            final long ran_s = Math.max(1, run_s);
            jobs++;
            accuracy += (double) Math.min(ran_s, expected_s) / Math.max(ran_s, expected_s);
            under += expected_s < ran_s ? 1 : 0;
            under_s += Math.max(0, ran_s - expected_s);
            over_s += Math.max(0, expected_s - ran_s);
            estimate.ifPresent(e -> {
                estimates++;
                confidence += e.confidencePercent() / 100.0;
                inTime += ran_s <= expected_s ? 1 : 0;
            });
        }

        private EstimateAccuracy result() {
            return new EstimateAccuracy(
                    jobs,
                    accuracy / jobs,
                    (double) under / jobs,
                    under_s / jobs,
                    over_s / jobs,
                    estimates == 0 ? null : confidence / estimates,
                    estimates == 0 ? null : (double) inTime / estimates);
        }
    }

    /**
     * @param trace in order of submission, not empty
     * @param schedule the runs of its jobs
     */
    static EstimateAccuracy of(
            final List<SwfJob> trace, final List<SimulatedJob> schedule, final RunTimeEstimator estimator) {
        return Objects.requireNonNull(
                by(trace, schedule, estimator, List.of(job -> "all")).getFirst().get("all"));
    }

    /**
     * The accuracy in each group of jobs.
     *
     * @param groups each sorts the jobs in another way
     * @return for each way, the accuracy by the name of the group
     */
    static List<Map<String, EstimateAccuracy>> by(
            final List<SwfJob> trace,
            final List<SimulatedJob> schedule,
            final RunTimeEstimator estimator,
            final List<Function<SwfJob, String>> groups) {
        final Map<Long, Long> end_s =
                schedule.stream().collect(Collectors.toMap(SimulatedJob::id, SimulatedJob::end_s));
        final Function<SwfJob, Long> end = job -> end_s.getOrDefault(job.id(), Long.MAX_VALUE);
        final PriorityQueue<SwfJob> running = new PriorityQueue<>(Comparator.comparing(end));
        final List<Map<String, Tally>> tallies = groups.stream()
                .map(g -> (Map<String, Tally>) new TreeMap<String, Tally>())
                .toList();
        for (final SwfJob job : trace) {
            while (!running.isEmpty() && end.apply(running.peek()) <= job.submit_s()) {
                final SwfJob ended = running.remove();
                estimator.ended(profile(ended), runUntilKilled_s(ended));
            }
            final Optional<RunTimeEstimate> estimate = estimator.estimate(profile(job));
            for (int g = 0; g < groups.size(); g++) {
                tallies.get(g)
                        .computeIfAbsent(groups.get(g).apply(job), name -> new Tally())
                        .add(runUntilKilled_s(job), job.requested_s(), estimate);
            }
            running.add(job);
        }
        return tallies.stream()
                .map(by -> by.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, entry -> entry.getValue().result())))
                .toList();
    }

    private static long runUntilKilled_s(final SwfJob job) {
        return Math.min(job.run_s(), job.requested_s());
    }

    /** Under- and overestimation per job in minutes. */
    double meanError_min() {
        return (meanUnder_s + meanOver_s) / 60;
    }

    static JobProfile profile(final SwfJob job) {
        return new JobProfile(
                "user" + job.user(),
                job.application() < 0 ? "" : "program" + job.application(),
                job.cores(),
                job.requested_s(),
                (job.cores() == 1 ? "sequential-" : "parallel-") + size(job.requested_s()));
    }

    /** As in the shipped class model. */
    private static String size(final long requested_s) {
        return requested_s <= 300 ? "small" : requested_s <= 3600 ? "medium" : "large";
    }
}
