package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
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

    /** Time limits of clients for a busy machine. */
    static final Map<String, Object> PATIENT = Map.of("default.api.timeout.ms", 300_000, "max.block.ms", 300_000);

    @TempDir
    Path data;

    @Test
    void committed_transactions_are_read_also_after_a_restart_and_aborted_ones_never() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(data, 0)) {
            createTopic(kafka.bootstrapServers());
            inTransaction(kafka.bootstrapServers(), "kept", true);
            inTransaction(kafka.bootstrapServers(), "aborted", false);
            inTransaction(kafka.bootstrapServers(), "kept too", true);
            assertThat(read(kafka.bootstrapServers(), 2, "reader")).containsExactly("kept", "kept too");
        }
        try (EmbeddedKafka again = EmbeddedKafka.start(data, 0)) {
            inTransaction(again.bootstrapServers(), "after the restart", true);
            assertThat(read(again.bootstrapServers(), 3, "second reader"))
                    .containsExactly("kept", "kept too", "after the restart");
        }
    }

    @Test
    void a_broker_that_was_killed_twice_has_all_committed_records_and_offsets() throws Exception {
        killAfter(address -> {
            createTopic(address);
            inTransaction(address, "kept", true);
            assertThat(read(address, 1, "group")).containsExactly("kept");
        });
        killAfter(address -> inTransaction(address, "kept too", true));
        try (EmbeddedKafka kafka = EmbeddedKafka.start(data, 0)) {
            inTransaction(kafka.bootstrapServers(), "after the kills", true);
            assertThat(read(kafka.bootstrapServers(), 2, "group"))
                    .as("from the committed offset on")
                    .containsExactly("kept too", "after the kills");
        }
    }

    private interface Use {
        void of(String bootstrapServers) throws Exception;
    }

    /** Starts a broker as a process of its own, uses it and kills it. */
    private void killAfter(Use use) throws Exception {
        Process broker = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        EmbeddedKafka.class.getName(),
                        "--data=" + data,
                        "--with-parent")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var output = broker.inputReader()) {
            String ready = output.lines()
                    .filter(line -> line.startsWith("ready "))
                    .findFirst()
                    .orElseThrow();
            use.of(ready.substring(ready.lastIndexOf(' ') + 1));
        } finally {
            broker.destroyForcibly().waitFor();
        }
    }

    private static void createTopic(String bootstrapServers) throws Exception {
        try (Admin admin = Admin.create(with(Map.of("bootstrap.servers", bootstrapServers)))) {
            admin.createTopics(List.of(new NewTopic("jobs", 1, (short) 1)))
                    .all()
                    .get();
        }
    }

    private static Map<String, Object> with(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(PATIENT);
        all.putAll(settings);
        return all;
    }

    private static void inTransaction(String bootstrapServers, String value, boolean commit) {
        Map<String, Object> settings =
                with(Map.of("bootstrap.servers", bootstrapServers, "transactional.id", "producer-" + commit));
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

    /** Reads with the offsets of a group, and commits them. */
    private static List<String> read(String bootstrapServers, int atLeast, String group) {
        Map<String, Object> settings = with(Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "group.id",
                group,
                "auto.offset.reset",
                "earliest",
                "isolation.level",
                "read_committed"));
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of("jobs"));
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
}
