package io.millrace.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A topic with one partition, and its readers and writers.
 *
 * @param client properties of the clients, with the brokers
 */
record JobsTopic(Map<String, Object> client) {

    static final String NAME = "jobs";

    /** Time limits of clients for a busy machine. */
    static final Map<String, Object> PATIENT = Map.of("default.api.timeout.ms", 300_000, "max.block.ms", 300_000);

    static JobsTopic at(String bootstrapServers) {
        return new JobsTopic(Map.of("bootstrap.servers", bootstrapServers));
    }

    void create(int copies) throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(NAME, 1, (short) copies)))
                    .all()
                    .get();
        }
    }

    Admin admin() {
        return Admin.create(with(Map.of()));
    }

    /** How often the partition has got a leader. */
    int leaderEpoch() throws Exception {
        TopicPartition partition = new TopicPartition(NAME, 0);
        try (Admin admin = admin()) {
            return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get()
                    .leaderEpoch()
                    .orElseThrow();
        }
    }

    void inTransaction(String value, boolean commit) {
        Map<String, Object> settings = with(Map.of("transactional.id", "producer-" + commit));
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(NAME, value));
            producer.flush();
            if (commit) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
    }

    /** Reads with the offsets of a group, and commits them. */
    List<String> read(int atLeast, String group) {
        Map<String, Object> settings =
                with(Map.of("group.id", group, "auto.offset.reset", "earliest", "isolation.level", "read_committed"));
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(NAME));
            List<String> values = new ArrayList<>();
            long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
            while (values.size() < atLeast && System.nanoTime() < deadline) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
                    values.add(record.value());
                }
            }
            consumer.commitSync();
            return values;
        }
    }

    private Map<String, Object> with(Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(PATIENT);
        all.putAll(client);
        all.putAll(more);
        return all;
    }
}
