package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaIT {
    @TempDir
    Path data;

    @Test
    void committed_transactions_are_read_also_after_a_restart_and_aborted_ones_never() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(data, 0)) {
            createTopic(kafka);
            inTransaction(kafka, "kept", true);
            inTransaction(kafka, "aborted", false);
            inTransaction(kafka, "kept too", true);
            assertThat(read(kafka, 2)).containsExactly("kept", "kept too");
        }
        try (EmbeddedKafka again = EmbeddedKafka.start(data, 0)) {
            inTransaction(again, "after the restart", true);
            assertThat(read(again, 3)).containsExactly("kept", "kept too", "after the restart");
        }
    }

    private static void createTopic(EmbeddedKafka kafka) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic("jobs", 1, (short) 1)))
                    .all()
                    .get();
        }
    }

    private static void inTransaction(EmbeddedKafka kafka, String value, boolean commit) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "producer-" + commit);
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("jobs", value));
            producer.flush();
            if (commit) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
    }

    private static List<String> read(EmbeddedKafka kafka, int atLeast) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "group.id",
                "reader-" + atLeast,
                "auto.offset.reset",
                "earliest",
                "isolation.level",
                "read_committed");
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of("jobs"));
            List<String> values = new ArrayList<>();
            long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
            while (values.size() < atLeast && System.nanoTime() < deadline) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
                    values.add(record.value());
                }
            }
            return values;
        }
    }
}
