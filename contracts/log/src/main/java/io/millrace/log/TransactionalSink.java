package io.millrace.log;

import io.millrace.log.access.Part.LogReader;
import io.millrace.model.protocol.Topic;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Writes in transactions under one transactional id, for a writer that is not a deciding loop: the agent of a cluster. Thread-safe;
 * commits are serialised. After an exception the result of the last commit is unknown: open a new sink and read the log again.
 */
public final class TransactionalSink implements AutoCloseable {

    private final EventCodec codec;
    private final Clock clock;
    private final String reader;
    private final String transactionalId;
    private final Producer<byte[], byte[]> producer;
    private final Map<Topic, Integer> partitions = new ConcurrentHashMap<>();

    /**
     * @param service who writes, as in {@link EventCodec}
     * @param client further Kafka properties, e.g. security
     */
    public TransactionalSink(
            final String bootstrapServers,
            final String service,
            final String transactionalId,
            final Clock clock,
            final Map<String, Object> client) {
        this.codec = new EventCodec(service);
        this.clock = clock;
        this.reader = service;
        this.transactionalId = transactionalId;
        this.producer = Clients.openProducer(Clients.transactionalProducer(bootstrapServers, transactionalId, client));
    }

    /**
     * Fences the previous writer with this id: its commits fail from now on.
     *
     * @throws KafkaException if the broker does not answer
     */
    public void open() {
        producer.initTransactions();
    }

    /**
     * Writes all of it, or nothing.
     *
     * @throws WriterFencedException if another writer took the id over
     * @throws KafkaException if it is unknown whether it was written
     * @throws UnwritableEventException if one of them is too large or has no JSON form; nothing was written
     */
    public synchronized void commit(final List<OutgoingEvent> outgoing) {
        send(outgoing.stream()
                .map(event -> codec.write(
                        event,
                        clock.instant(),
                        partitions.computeIfAbsent(event.topic(), topic -> Topics.partitions(producer, topic))))
                .toList());
    }

    /** Copies an unreadable record to the dead letters of a part. */
    public synchronized void deadLetter(
            final ConsumerRecord<byte[], byte[]> record, final LogReader part, final String reason) {
        send(List.of(DeadLetter.of(record, part, reader, reason)));
    }

    private void send(final List<ProducerRecord<byte[], byte[]>> records) {
        final Instant begun = clock.instant();
        try {
            producer.beginTransaction();
            records.forEach(producer::send);
            producer.commitTransaction();
        } catch (final KafkaException e) {
            abort(e);
            if (ProducerFencing.shows(e) && !isTimedOut(begun)) {
                throw new WriterFencedException("another writer has taken over '" + transactionalId + "'", e);
            }
            throw e;
        }
    }

    /** The broker ends a transaction after its time-out, and then refuses the writer in the same way as one whose id was taken over. */
    private boolean isTimedOut(final Instant begun) {
        return Duration.between(begun, clock.instant()).compareTo(Clients.TRANSACTION_TIMEOUT) >= 0;
    }

    private void abort(final KafkaException cause) {
        try {
            producer.abortTransaction();
        } catch (final KafkaException | IllegalStateException e) {
            // Fenced or unreachable: then the successor, or the transaction's time-out, aborts it.
            cause.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(2));
    }
}
