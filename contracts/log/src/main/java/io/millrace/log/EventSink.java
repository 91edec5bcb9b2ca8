package io.millrace.log;

import io.millrace.model.Event;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Writes single events, for parts of the system that do not decide. Thread-safe. */
public final class EventSink implements AutoCloseable {

    private final EventCodec codec;
    private final Clock clock;
    private final Producer<byte[], byte[]> producer;

    /** @param client further Kafka properties, e.g. security */
    public EventSink(
            final String bootstrapServers, final String service, final Clock clock, final Map<String, Object> client) {
        this.codec = new EventCodec(service);
        this.clock = clock;
        this.producer = Clients.openProducer(Clients.producer(bootstrapServers, client));
    }

    /**
     * Puts an event on its topic. The future completes when all replicas have it (its offset can be waited for), and fails if the
     * broker does not take it within 20 s or the event is too large.
     */
    public CompletableFuture<RecordMetadata> put(final Event event) {
        return send(OutgoingEvent.put(event));
    }

    /** As {@link #put}, also for tombstones. */
    public CompletableFuture<RecordMetadata> send(final OutgoingEvent outgoing) {
        final CompletableFuture<RecordMetadata> written = new CompletableFuture<>();
        try {
            final int partitions =
                    producer.partitionsFor(outgoing.topic().topicName()).size();
            final ProducerRecord<byte[], byte[]> record = codec.write(outgoing, clock.instant(), partitions);
            producer.send(record, (metadata, failure) -> {
                if (failure == null) {
                    written.complete(metadata);
                } else {
                    written.completeExceptionally(failure);
                }
            });
        } catch (final RuntimeException e) {
            written.completeExceptionally(e);
        }
        return written;
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(10));
    }
}
