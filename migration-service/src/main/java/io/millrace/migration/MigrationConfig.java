package io.millrace.migration;

import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.model.ClusterId;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The settings of migration-service. */
@ConfigMapping(prefix = "millrace.migration")
public interface MigrationConfig {

    /** Clusters, fastest first: the order in which they are tried for a job that finds no idle cores on its source cluster. Clusters not listed follow, by name. */
    Optional<List<String>> performanceOrder();

    /** A job that has found no idle cores for this time is submitted to its source cluster, or to the first that can run it, and waits in its queue. */
    @WithDefault("5m")
    Duration queueAfter();

    /** A cluster without a revision newer than this is unavailable: no command is issued to it, and the state of its jobs is unknown. */
    @WithDefault("1m")
    Duration unavailableAfter();

    /** Answered tries of one step (make, submit) before the attempt fails. */
    @WithDefault("3")
    int maxTries();

    /** Placements of one job, on different clusters, before it is aborted. */
    @WithDefault("3")
    int maxAttempts();

    /** Pause after the first failed try; doubles after each further one. */
    @WithDefault("10s")
    Duration initialBackoff();

    /** Longest pause between two tries. */
    @WithDefault("5m")
    Duration maxBackoff();

    /** How long after its issue an agent may begin a command; at most one hour. */
    @WithDefault("10m")
    Duration commandValidity();

    /** Changed figures alone (idle cores) are published at most once in this time; a new obstacle is published at once. */
    @WithDefault("10s")
    Duration planInterval();

    default MigrationPolicy policy() {
        return new MigrationPolicy(
                performanceOrder().orElse(List.of()).stream().map(ClusterId::of).toList(),
                queueAfter(),
                unavailableAfter(),
                maxTries(),
                maxAttempts(),
                initialBackoff(),
                maxBackoff(),
                commandValidity(),
                planInterval());
    }
}
