package io.millrace.backfill.kafka;

import io.millrace.backfill.PlanStarts;
import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.StartRules;
import io.millrace.log.DecidingLoop;
import io.millrace.log.LoopHealth;
import io.millrace.log.LoopSettings;
import io.millrace.log.Topics;
import io.millrace.model.protocol.Topic;
import java.time.Clock;

/** The loop of backfill-service. */
public final class BackfillLoop implements AutoCloseable {

    private final DecidingLoop clusters;

    public BackfillLoop(
            final String bootstrapServers, final BackfillPolicy policy, final StartRules rules, final Clock clock) {
        this.clusters = new DecidingLoop(
                LoopSettings.of(
                        bootstrapServers,
                        "backfill-service",
                        Topic.CLUSTER_STATE,
                        Topic.COMMANDS,
                        Topic.OUTCOMES,
                        Topic.ENTITLEMENTS,
                        Topic.PLANS),
                partition -> new ClusterDecider(new PlanStarts(policy, rules)),
                clock);
    }

    /** Creates the topics that are missing and starts; throws if the broker does not answer. */
    public void start(final String bootstrapServers, final int partitions, final int replication) {
        Topics.create(bootstrapServers, partitions, replication);
        clusters.start();
    }

    public LoopHealth health() {
        return clusters.health();
    }

    @Override
    public void close() {
        clusters.close();
    }
}
