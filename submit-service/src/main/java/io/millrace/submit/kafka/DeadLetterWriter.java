package io.millrace.submit.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.log.Clients;
import io.millrace.log.DeadLetter;
import io.millrace.submit.KafkaSettings;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jboss.logging.Logger;

/** Where messages go that cannot be projected. */
@ApplicationScoped
class DeadLetterWriter {

    static final String READER = "submit-service";

    private static final Logger LOG = Logger.getLogger(DeadLetterWriter.class);

    private final Producer<byte[], byte[]> producer;
    private final MeterRegistry meters;

    DeadLetterWriter(final KafkaSettings settings, final MeterRegistry meters) {
        this.producer = new KafkaProducer<>(
                Clients.producer(settings.bootstrapServers(), Map.of()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        this.meters = meters;
    }

    /**
     * Puts the message aside; returns when the broker has it.
     *
     * @throws IllegalStateException if it does not take it: then the message must be tried again
     */
    void bury(final ConsumerRecord<byte[], byte[]> record, final String reason) {
        bury(record, READER, reason);
    }

    /** As {@link #bury(ConsumerRecord, String)}, for another reader than the projection. */
    void bury(final ConsumerRecord<byte[], byte[]> record, final String reader, final String reason) {
        try {
            producer.send(DeadLetter.of(record, reader, reason)).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "a dead letter of " + record.topic() + " could not be written", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while writing a dead letter of " + record.topic(), e);
        }
        meters.counter("millrace.dead.letters", "topic", record.topic()).increment();
        LOG.warnf(
                "message put aside: reader=%s topic=%s partition=%d offset=%d reason=%s",
                reader, record.topic(), record.partition(), record.offset(), reason);
    }

    @PreDestroy
    void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
