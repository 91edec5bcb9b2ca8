package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.log.access.Part.Service;
import io.millrace.log.loop.Scene;
import io.millrace.model.ClusterId;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.Attack;
import io.millrace.testing.Stack;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.Test;

class TopicsIT {

    private static final ClusterId ALPHA = ClusterId.of("topics-alpha");

    private final String bootstrap = Stack.kafka().bootstrapServers();

    @Test
    void topics_are_created_once_as_the_table_says() throws Exception {
        for (int start = 0; start < 2; start++) {
            Topics.create(bootstrap, Scene.PARTITIONS, 1);
            Topics.create(bootstrap, ALPHA, 1);
        }
        try (Admin admin = Clients.openAdmin(bootstrap, Stack.PATIENT);
                KafkaConsumer<byte[], byte[]> consumer =
                        Clients.openConsumer(Clients.consumer(bootstrap, "topics", Map.of()))) {
            for (final Topic topic : Topic.values()) {
                final String name = topic.topicName(ALPHA);
                assertThat(consumer.partitionsFor(name))
                        .hasSize(topic.spread() == Topic.Spread.BY_CLUSTER ? Scene.PARTITIONS : 1);
                final Config config = config(admin, name);
                assertThat(config.get("cleanup.policy").value()).isEqualTo(topic.isCompacted() ? "compact" : "delete");
                if (!topic.isCompacted()) {
                    assertThat(config.get("retention.ms").value())
                            .isEqualTo(Long.toString(topic.retention().toMillis()));
                }
                assertThat(Integer.parseInt(config.get("max.message.bytes").value()))
                        .isGreaterThan(EventCodec.MAX_RECORD_BYTES)
                        .isLessThan(Integer.parseInt(config(admin, Service.QUOTA.deadLetters())
                                .get("max.message.bytes")
                                .value()));
            }
            for (final Service service : Service.values()) {
                assertThat(consumer.partitionsFor(service.deadLetters())).hasSize(1);
            }
        }
    }

    @Attack("a compressed record of 20 MB that is within the size limit of the topic exhausts the heap of its readers")
    @Test
    void a_compressed_record_that_expands_beyond_the_limit_is_refused() {
        Topics.create(bootstrap, Scene.PARTITIONS, 1);
        final Map<String, Object> settings = new HashMap<>(Clients.producer(bootstrap, Stack.PATIENT));
        settings.put("compression.type", "gzip");
        settings.put("max.request.size", 64 * 1024 * 1024);
        settings.put("buffer.memory", 64L * 1024 * 1024);
        try (Producer<byte[], byte[]> stranger = Clients.openProducer(settings)) {
            final byte[] zeros = new byte[20 * 1024 * 1024];
            assertThatThrownBy(() -> stranger.send(
                                    new ProducerRecord<>(Topic.REQUESTS.topicName(), EventCodec.utf8("bomb"), zeros))
                            .get())
                    .hasCauseInstanceOf(RecordTooLargeException.class);
        }
    }

    private static Config config(final Admin admin, final String topic) throws Exception {
        final ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return admin.describeConfigs(java.util.List.of(resource)).all().get().get(resource);
    }

    @Test
    void another_number_of_partitions_than_configured_is_refused_with_the_remedy() {
        Topics.create(bootstrap, Scene.PARTITIONS, 1);
        assertThatThrownBy(() -> Topics.create(bootstrap, Scene.PARTITIONS + 1, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("set millrace.kafka.partitions to " + Scene.PARTITIONS);
    }

    @Test
    void other_tools_that_key_a_record_by_its_cluster_reach_the_same_partition() throws Exception {
        Topics.create(bootstrap, Scene.PARTITIONS, 1);
        try (Producer<byte[], byte[]> plain = Clients.openProducer(Clients.producer(bootstrap, Stack.PATIENT))) {
            for (int i = 0; i < 20; i++) {
                final ClusterId cluster = ClusterId.of("plain-" + i);
                final int chosen = plain.send(new ProducerRecord<>(
                                Topic.CLASSES.topicName(), EventCodec.utf8(cluster.value()), EventCodec.utf8("{}")))
                        .get()
                        .partition();
                assertThat(chosen).isEqualTo(Topics.partitionOf(Topic.CLASSES, cluster, Scene.PARTITIONS));
            }
        }
    }
}
