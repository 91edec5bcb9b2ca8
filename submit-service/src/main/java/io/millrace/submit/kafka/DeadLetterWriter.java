package io.millrace.submit.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.log.Clients;
import io.millrace.log.DeadLetter;
import io.millrace.log.access.Part.Service;
import io.millrace.submit.config.KafkaSettings;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes records that cannot be processed to the dead letters of this service. */
@ApplicationScoped
class DeadLetterWriter {

    static final String READER = "submit-service";

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterWriter.class);

    private final Producer<byte[], byte[]> producer;
    private final MeterRegistry meters;
    private volatile @Nullable String latest;

    DeadLetterWriter(final KafkaSettings settings, final MeterRegistry meters) {
        this.producer = new KafkaProducer<>(
                Clients.producer(settings.bootstrapServers(), Map.of()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        this.meters = meters;
    }

    /**
     * Writes a record that cannot be projected; returns after the broker acknowledged it.
     *
     * @throws IllegalStateException if the broker does not acknowledge it; then retry
     */
    void write(final ConsumerRecord<byte[], byte[]> record, final String reason) {
        write(record, READER, reason);
    }

    /** As {@link #write(ConsumerRecord, String)}, for another reader than the projection. */
    void write(final ConsumerRecord<byte[], byte[]> record, final String reader, final String reason) {
        try {
            producer.send(DeadLetter.of(record, Service.SUBMIT, reader, reason)).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a dead letter of " + record.topic() + " was not written", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while writing a dead letter of " + record.topic(), e);
        }
        meters.counter("millrace.dead.letters", "topic", record.topic()).increment();
        latest = reader + " has set aside " + record.topic() + "-" + record.partition() + "@" + record.offset();
        LOG.atWarn()
                .addKeyValue("reader", reader)
                .addKeyValue("topic", record.topic())
                .addKeyValue("partition", record.partition())
                .addKeyValue("offset", record.offset())
                .addKeyValue("reason", reason)
                .log("record dead-lettered");
    }

    /** The last record that was set aside since the service started, without the reason, which may contain a part of it. */
    Optional<String> latest() {
        return Optional.ofNullable(latest);
    }

    @PreDestroy
    void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
