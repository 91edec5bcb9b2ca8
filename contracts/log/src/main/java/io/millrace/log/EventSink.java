package io.millrace.log;

import io.millrace.model.Event;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Writes single events, for parts of the system that do not decide. Thread-safe. */
public final class EventSink implements AutoCloseable {

    private final String bootstrapServers;
    private final Map<String, Object> client;
    private final EventCodec codec;
    private final Clock clock;
    private final Producer<byte[], byte[]> producer;
    /** Topics of clusters that are there. */
    private final Set<String> found = ConcurrentHashMap.newKeySet();

    /** @param client further Kafka properties, e.g. security */
    public EventSink(
            final String bootstrapServers, final String service, final Clock clock, final Map<String, Object> client) {
        this.bootstrapServers = bootstrapServers;
        this.client = client;
        this.codec = new EventCodec(service);
        this.clock = clock;
        this.producer = Clients.openProducer(Clients.producer(bootstrapServers, client));
    }

    /**
     * Puts an event on its topic. The future completes when all replicas have it (its offset can be waited for), and fails if the
     * broker does not take it within 20 s, the event is too large, or it is about a cluster that has no topics ({@link NoSuchClusterException}).
     */
    public CompletableFuture<RecordMetadata> put(final Event event) {
        return send(OutgoingEvent.put(event));
    }

    /** As {@link #put}, also for tombstones. */
    public CompletableFuture<RecordMetadata> send(final OutgoingEvent outgoing) {
        final CompletableFuture<RecordMetadata> written = new CompletableFuture<>();
        try {
            final int partitions = Topics.partitions(producer, outgoing.topic());
            final ProducerRecord<byte[], byte[]> record = codec.write(outgoing, clock.instant(), partitions);
            requireTopic(outgoing, record.topic());
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

    /** A producer may create a topic that it does not find, with the broker's defaults; so the broker is asked first, once for each topic. */
    private void requireTopic(final OutgoingEvent outgoing, final String topicName) {
        if (!outgoing.topic().isPerCluster() || found.contains(topicName)) {
            return;
        }
        try (Admin admin = Clients.openAdmin(bootstrapServers, client)) {
            if (!Topics.existing(admin).contains(topicName)) {
                throw new NoSuchClusterException(topicName, outgoing.cluster());
            }
        }
        found.add(topicName);
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(10));
    }
}
