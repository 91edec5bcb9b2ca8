package io.millrace.migration;

import io.millrace.migration.domain.InFlightLimits;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.MoveLimits;
import io.millrace.model.ClusterId;
import io.millrace.model.job.TargetRule;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The settings of migration-service. */
@ConfigMapping(prefix = "millrace.migration")
public interface MigrationConfig {

    /** Clusters, fastest first: the order in which they are tried for a job that finds no idle cores on its source cluster. Clusters not listed follow, by name. */
    Optional<List<String>> performanceOrder();

    /** A job that has found no idle cores for this time is submitted to its source cluster, or to the first that can run it, and waits in its queue. */
    @WithDefault("5m")
    Duration queueAfter();

    /** Placements of one job, on different clusters, before it is aborted. */
    @WithDefault("3")
    int maxAttempts();

    /** Which cluster gets a job: `performance-order`, `earliest-end`, `least-core-hours` or `data-locality`. The source cluster of the job goes first if it can start the job now. */
    @WithDefault("performance-order")
    TargetRule targetRule();

    /** Run time of jobs by cluster relative to their walltime: `millrace.migration.run-time-factor.alpha=0.5`; 1 for other clusters. Used by `earliest-end`, `least-core-hours` and, where no run times are measured, by the limits of job classes. */
    Map<String, Double> runTimeFactor();

    /** How many global jobs of one user may be on clusters at a time, from their placement to their end; not limited by default. */
    Optional<Integer> maxJobsPerUser();

    /** How many global jobs may be on one cluster at a time; not limited by default. */
    Optional<Integer> maxJobsPerCluster();

    /** How many global jobs that were submitted on one cluster may be on one other cluster at a time; not limited by default. */
    Optional<Integer> maxJobsPerLink();

    /** How often a job that waits in the queue of a cluster may move to a cluster that can start it now; 0: never. */
    @WithDefault("2")
    int maxMoves();

    /** A waiting job moves only if it is predicted to end earlier by at least this time, and by at least half of its predicted wait. */
    @WithDefault("10m")
    Duration moveGain();

    /** A job from another cluster starts on a cluster only if it delays no job that waits in the queue there, by the predicted starts. Otherwise idle cores are enough. */
    @WithDefault("false")
    boolean homeJobsFirst();

    default MigrationPolicy policy() {
        return new MigrationPolicy(
                performanceOrder().orElse(List.of()).stream().map(ClusterId::of).toList(),
                queueAfter(),
                MigrationPolicy.DEFAULT.unavailableAfter(),
                MigrationPolicy.DEFAULT.maxTries(),
                maxAttempts(),
                MigrationPolicy.DEFAULT.initialBackoff(),
                MigrationPolicy.DEFAULT.maxBackoff(),
                MigrationPolicy.DEFAULT.commandValidity(),
                MigrationPolicy.DEFAULT.planInterval(),
                targetRule(),
                runTimeFactor().entrySet().stream()
                        .collect(Collectors.toMap(entry -> ClusterId.of(entry.getKey()), Map.Entry::getValue)),
                new InFlightLimits(
                        maxJobsPerUser().orElse(null),
                        maxJobsPerCluster().orElse(null),
                        maxJobsPerLink().orElse(null)),
                new MoveLimits(maxMoves(), moveGain()),
                homeJobsFirst());
    }
}
