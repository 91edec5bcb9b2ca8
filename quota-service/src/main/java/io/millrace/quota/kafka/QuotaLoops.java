package io.millrace.quota.kafka;

import io.millrace.log.DecidingLoop;
import io.millrace.log.LoopHealth;
import io.millrace.log.LoopSettings;
import io.millrace.log.Topics;
import io.millrace.model.protocol.Topic;
import io.millrace.quota.GovernClusters;
import io.millrace.quota.KeepQuotas;
import io.millrace.quota.domain.QuotaFileEntry;
import io.millrace.quota.domain.QuotaPolicy;
import io.millrace.quota.domain.QuotaRequests.Answer;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The two loops of quota-service. */
public final class QuotaLoops implements AutoCloseable {

    private final DecidingLoop clusters;
    private final DecidingLoop quotas;

    public QuotaLoops(
            final String bootstrapServers,
            final QuotaPolicy policy,
            final int defaultQuota,
            final Optional<List<QuotaFileEntry>> file,
            final Consumer<Answer> answered,
            final Clock clock) {
        this.clusters = new DecidingLoop(
                LoopSettings.of(
                                bootstrapServers,
                                "quota-service",
                                Topic.CLUSTER_STATE,
                                Topic.COMMANDS,
                                Topic.OUTCOMES,
                                Topic.ENTITLEMENTS,
                                Topic.USAGE,
                                Topic.PLANS)
                        .withContext(Topic.QUOTAS),
                partition -> new ClusterDecider(new GovernClusters(policy, defaultQuota)),
                clock);
        this.quotas = new DecidingLoop(
                LoopSettings.of(bootstrapServers, "quota-book", Topic.REQUESTS, Topic.QUOTAS),
                partition -> new QuotaDecider(new KeepQuotas(file, answered)),
                clock);
    }

    /** Creates the topics that are missing and starts; throws if the broker does not answer. */
    public void start(final String bootstrapServers, final int partitions, final int replication) {
        Topics.create(bootstrapServers, partitions, replication);
        quotas.start();
        clusters.start();
    }

    public List<LoopHealth> health() {
        return List.of(clusters.health(), quotas.health());
    }

    @Override
    public void close() {
        clusters.close();
        quotas.close();
    }
}
