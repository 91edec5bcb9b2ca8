package io.millrace.log;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Kafka clients as Millrace uses them: read committed, no automatic commits, no topics created by accident, small buffers (nine
 * processes may share a laptop), short waits.
 */
public final class Clients {

    /** Whatever dies between begin and commit holds readers back no longer than this. */
    static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(10);

    /** How long the broker waits for a record for a consumer of {@link #openTail}. */
    private static final Duration TAIL_FETCH_WAIT = Duration.ofSeconds(5);

    private static volatile Map<String, Object> ofTheSite = Map.of();

    private Clients() {}

    /**
     * Gives properties of the site, such as the login, to every client that this process opens from now on. Properties on which Millrace
     * relies have precedence.
     *
     * @param properties see {@link ClientProperties#read}
     */
    public static void useEverywhere(final Map<String, Object> properties) {
        ofTheSite = Map.copyOf(properties);
    }

    /** Properties of a consumer in {@code group}, which never commits automatically and fails if it has no position. */
    public static Map<String, Object> consumer(
            final String bootstrapServers, final String group, final Map<String, Object> more) {
        final Map<String, Object> settings = basics(bootstrapServers);
        settings.put("group.id", group);
        settings.put("isolation.level", "read_committed");
        settings.put("enable.auto.commit", false);
        settings.put("auto.offset.reset", "earliest");
        settings.put("allow.auto.create.topics", false);
        settings.put("fetch.max.bytes", 4 * 1024 * 1024);
        settings.put("max.partition.fetch.bytes", 256 * 1024);
        settings.put("fetch.max.wait.ms", 1_000);
        settings.put("max.poll.records", 2000);
        settings.putAll(more);
        return settings;
    }

    /** Properties of an idempotent producer. */
    public static Map<String, Object> producer(final String bootstrapServers, final Map<String, Object> more) {
        final Map<String, Object> settings = basics(bootstrapServers);
        settings.put("acks", "all");
        settings.put("enable.idempotence", true);
        settings.put("linger.ms", 0);
        settings.put("buffer.memory", 8L * 1024 * 1024);
        settings.put("max.request.size", 2 * 1024 * 1024);
        settings.put("compression.type", "none");
        settings.put("max.block.ms", 15_000);
        settings.put("request.timeout.ms", 10_000);
        settings.put("delivery.timeout.ms", 20_000);
        settings.putAll(more);
        return settings;
    }

    /** Properties of a transactional producer; opening one with the same id fences the predecessor. */
    public static Map<String, Object> transactionalProducer(
            final String bootstrapServers, final String transactionalId, final Map<String, Object> more) {
        final Map<String, Object> settings = producer(bootstrapServers, Map.of());
        settings.put("transactional.id", transactionalId);
        settings.put("transaction.timeout.ms", (int) TRANSACTION_TIMEOUT.toMillis());
        // Everything up to the commit goes in few requests; the commit does not wait for this.
        settings.put("linger.ms", 50);
        settings.put("batch.size", 128 * 1024);
        settings.putAll(more);
        return settings;
    }

    public static KafkaConsumer<byte[], byte[]> openConsumer(final Map<String, Object> settings) {
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /**
     * Opens a consumer for {@code assign}, not for {@code subscribe}. {@code close()} does not wait for the last fetch, because the consumer
     * leaves no group.
     *
     * @param settings see {@link #consumer}
     */
    public static KafkaConsumer<byte[], byte[]> openAssigned(final Map<String, Object> settings) {
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer()) {
            @Override
            public void close() {
                close(CloseOptions.timeout(Duration.ZERO));
            }
        };
    }

    /**
     * As {@link #openAssigned}, for a consumer that mostly waits for the next record. The broker answers a fetch when it has a record, or after
     * five seconds. All fetched records are polled at once, because partitions with remaining ones would be left out of the next fetch.
     *
     * @param settings see {@link #consumer}
     */
    public static KafkaConsumer<byte[], byte[]> openTail(final Map<String, Object> settings) {
        final Map<String, Object> patient = new HashMap<>(settings);
        patient.put("fetch.max.wait.ms", (int) TAIL_FETCH_WAIT.toMillis());
        patient.put("max.poll.records", Integer.MAX_VALUE);
        return openAssigned(patient);
    }

    public static Producer<byte[], byte[]> openProducer(final Map<String, Object> settings) {
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    public static Admin openAdmin(final String bootstrapServers, final Map<String, Object> more) {
        final Map<String, Object> settings = basics(bootstrapServers);
        settings.put("default.api.timeout.ms", 20_000);
        settings.put("request.timeout.ms", 5_000);
        settings.putAll(more);
        return Admin.create(settings);
    }

    private static Map<String, Object> basics(final String bootstrapServers) {
        final Map<String, Object> settings = new HashMap<>(ofTheSite);
        settings.putIfAbsent("ssl.engine.factory.class", RenewedCertificates.class.getName());
        settings.put("bootstrap.servers", bootstrapServers);
        settings.put("reconnect.backoff.max.ms", 2_000);
        settings.put("metric.reporters", "");
        settings.put("enable.metrics.push", false);
        return settings;
    }
}
