package io.millrace.submit.kafka;

import io.millrace.log.Clients;
import io.millrace.log.ClusterTopics;
import io.millrace.model.ClusterId;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.config.KafkaSettings;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;

/** The clusters whose topics are on the broker, for all readers of this service. */
@ApplicationScoped
class LoggedClusters implements AutoCloseable {

    private final Admin admin;
    private final ClusterTopics clusters;

    LoggedClusters(final KafkaSettings settings) {
        this.admin = Clients.openAdmin(settings.bootstrapServers(), Map.of());
        this.clusters = new ClusterTopics(admin, Arrays.asList(Topic.values()), () -> {});
    }

    /** Those that the broker named last. Readers call this often and compare the object with their last one. */
    synchronized Set<ClusterId> known() {
        clusters.look();
        return clusters.known();
    }

    /**
     * Asks the broker now.
     *
     * @throws org.apache.kafka.common.KafkaException if it does not answer
     */
    Set<ClusterId> read() {
        return clusters.read();
    }

    /** The names of the Kafka topics with the events of these clusters. */
    static List<String> topicNames(final Collection<Topic> topics, final Set<ClusterId> of) {
        return topics.stream()
                .flatMap(topic ->
                        topic.isPerCluster() ? of.stream().map(topic::topicName) : Stream.of(topic.topicName()))
                .toList();
    }

    @Override
    @PreDestroy
    public void close() {
        admin.close(Duration.ZERO);
    }
}
