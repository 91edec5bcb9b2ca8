package io.millrace.migration.domain;

import static io.millrace.decide.SettingBounds.requireAtLeastOne;
import static io.millrace.decide.SettingBounds.requirePositive;

import io.millrace.model.Backoff;
import io.millrace.model.ClusterId;
import io.millrace.model.job.TargetRequest;
import io.millrace.model.job.TargetRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The policy of migration.
 *
 * @param performanceOrder clusters, fastest first; clusters not listed follow, by name
 * @param queueAfter a job that has found no idle cores for this time is submitted anyway and waits in the queue of a cluster
 * @param unavailableAfter a cluster without a revision newer than this is unavailable: no decision about it is made
 * @param maxTries answered tries of one step (make, submit) before its attempt fails
 * @param maxAttempts placements of one job before it is aborted
 * @param initialBackoff pause after the first failed try; doubles after each further one
 * @param maxBackoff longest pause between two tries
 * @param commandValidity how long after its issue an agent may begin a command
 * @param planInterval changed figures alone are published at most once in this time
 * @param rule which of the possible clusters gets a job
 * @param runTimeFactors the run time of a job on a cluster, relative to its walltime; 1 for clusters not listed
 * @param limits how many jobs may be in flight
 * @param moves when a waiting attempt moves
 * @param homeJobsFirst whether a job from another cluster starts on a cluster only if it delays no job that waits in the queue there
 */
public record MigrationPolicy(
        List<ClusterId> performanceOrder,
        Duration queueAfter,
        Duration unavailableAfter,
        int maxTries,
        int maxAttempts,
        Duration initialBackoff,
        Duration maxBackoff,
        Duration commandValidity,
        Duration planInterval,
        TargetRule rule,
        Map<ClusterId, Double> runTimeFactors,
        InFlightLimits limits,
        MoveLimits moves,
        boolean homeJobsFirst) {

    /** The policy of an installation that sets nothing. */
    public static final MigrationPolicy DEFAULT = new MigrationPolicy(
            List.of(),
            Duration.ofMinutes(5),
            Duration.ofMinutes(1),
            3,
            3,
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ofSeconds(10),
            TargetRule.PERFORMANCE_ORDER,
            Map.of(),
            InFlightLimits.NONE,
            MoveLimits.DEFAULT,
            false);

    public MigrationPolicy {
        performanceOrder = List.copyOf(performanceOrder);
        runTimeFactors = Map.copyOf(runTimeFactors);
        runTimeFactors.forEach((cluster, factor) -> {
            if (!(factor > 0)) {
                throw new IllegalArgumentException(
                        "millrace.migration.run-time-factor." + cluster + " must be greater than zero, got " + factor);
            }
        });
        requireAtLeastOne("millrace.migration.max-attempts", maxAttempts);
        requirePositive("millrace.migration.queue-after", queueAfter);
    }

    public MigrationPolicy withPerformanceOrder(final List<ClusterId> other) {
        return copy(other, queueAfter, unavailableAfter, rule, runTimeFactors, limits, homeJobsFirst);
    }

    public MigrationPolicy withQueueAfter(final Duration other) {
        return copy(performanceOrder, other, unavailableAfter, rule, runTimeFactors, limits, homeJobsFirst);
    }

    public MigrationPolicy withUnavailableAfter(final Duration other) {
        return copy(performanceOrder, queueAfter, other, rule, runTimeFactors, limits, homeJobsFirst);
    }

    public MigrationPolicy withRule(final TargetRule other, final Map<ClusterId, Double> factors) {
        return copy(performanceOrder, queueAfter, unavailableAfter, other, factors, limits, homeJobsFirst);
    }

    public MigrationPolicy withLimits(final InFlightLimits others) {
        return copy(performanceOrder, queueAfter, unavailableAfter, rule, runTimeFactors, others, homeJobsFirst);
    }

    public MigrationPolicy withHomeJobsFirst() {
        return copy(performanceOrder, queueAfter, unavailableAfter, rule, runTimeFactors, limits, true);
    }

    private MigrationPolicy copy(
            final List<ClusterId> order,
            final Duration queue,
            final Duration unavailable,
            final TargetRule by,
            final Map<ClusterId, Double> factors,
            final InFlightLimits most,
            final boolean homeFirst) {
        return new MigrationPolicy(
                order,
                queue,
                unavailable,
                maxTries,
                maxAttempts,
                initialBackoff,
                maxBackoff,
                commandValidity,
                planInterval,
                by,
                factors,
                most,
                moves,
                homeFirst);
    }

    /** Which of the possible clusters gets a job with this request: a list of its owner is in the order of preference. */
    public TargetRule rule(final TargetRequest request) {
        if (request.rule() != null) {
            return request.rule();
        }
        return request.clusters().isEmpty() ? rule : TargetRule.PERFORMANCE_ORDER;
    }

    public double runTimeFactor(final ClusterId cluster) {
        return runTimeFactors.getOrDefault(cluster, 1.0);
    }

    /** When the next try may follow after {@code tries} answered tries, the newest answered at {@code answered}. */
    public Instant nextTry(final Instant answered, final int tries) {
        return answered.plus(new Backoff(initialBackoff, maxBackoff).after(tries));
    }
}
