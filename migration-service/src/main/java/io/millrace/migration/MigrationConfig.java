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

    /** Clusters from the fastest on; a job that finds no idle cores at home asks them in this order. Others come last, by name. */
    Optional<List<String>> performanceOrder();

    /** A job that has found no idle cores for so long is handed in at home (or where it fits) and waits in that cluster's queue. */
    @WithDefault("5m")
    Duration queueAfter();

    /** A cluster whose newest revision is older than this is silent: nothing is sent there, and what runs there is unknown. */
    @WithDefault("1m")
    Duration silentAfter();

    /** Answered tries of one step (make, submit) before the attempt is given up. */
    @WithDefault("3")
    int maxTries();

    /** Placements of one job, on different clusters, before it is aborted. */
    @WithDefault("3")
    int maxAttempts();

    /** Pause after a first failed try; doubles with each further one. */
    @WithDefault("10s")
    Duration retryAfter();

    /** The longest such pause. */
    @WithDefault("5m")
    Duration retryAtMost();

    /** How long an agent may take to begin a command; at most an hour. */
    @WithDefault("10m")
    Duration validity();

    /** Changed figures alone (idle cores) are announced at most once in this time; a new obstacle is announced at once. */
    @WithDefault("10s")
    Duration planInterval();

    default MigrationPolicy policy() {
        return new MigrationPolicy(
                performanceOrder().orElse(List.of()).stream().map(ClusterId::of).toList(),
                queueAfter(),
                silentAfter(),
                maxTries(),
                maxAttempts(),
                retryAfter(),
                retryAtMost(),
                validity(),
                planInterval());
    }
}
