package io.millrace.log.loop;

import io.millrace.log.Clients;
import io.millrace.log.DeadLetter;
import io.millrace.log.EventCodec;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.Topics;
import io.millrace.log.access.Part.LogReader;
import io.millrace.model.protocol.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The writing side of a session: decisions, dead letters and offsets are written in one transaction, or not at all. It fails if another
 * instance has taken over the transactional id, and with offsets also if the group has a new generation.
 */
final class DecisionWriter implements AutoCloseable {

    /** Records that led to no decision lead to none after a restart, so their offsets may be committed this late. */
    private static final Duration OFFSETS_EVERY = Duration.ofSeconds(30);

    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final LogReader part;
    private final String service;
    private final EventCodec codec;
    private final GroupMembership membership;
    private final Producer<byte[], byte[]> producer;
    private final List<ProducerRecord<byte[], byte[]>> deadLetters = new ArrayList<>();
    private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    private long committedAt = System.nanoTime();

    DecisionWriter(final LoopSettings settings, final int partition, final GroupMembership membership) {
        this.part = settings.part();
        this.service = settings.service();
        this.codec = new EventCodec(service);
        this.membership = membership;
        this.producer = Clients.openProducer(Clients.transactionalProducer(
                settings.bootstrapServers(), service + "-" + partition, settings.client()));
    }

    /** Fences the predecessor, and waits until its open transaction is committed or aborted. */
    void open() {
        producer.initTransactions();
    }

    /** Adds an unreadable message to the dead letters of the next commit. */
    void deadLetter(final ConsumerRecord<byte[], byte[]> record, final String reason) {
        deadLetters.add(DeadLetter.of(record, part, service, reason));
    }

    boolean hasDeadLetters() {
        return !deadLetters.isEmpty();
    }

    /** Whether offsets that changed since the last commit should be committed without a decision. */
    boolean isTimeFor(final Supplier<Map<TopicPartition, OffsetAndMetadata>> offsets) {
        return System.nanoTime() - committedAt >= OFFSETS_EVERY.toNanos()
                && !moved(offsets.get()).isEmpty();
    }

    /**
     * @param offsets those that did not change since the last commit are left out
     * @throws IllegalArgumentException if a decision cannot be written; nothing was
     */
    void commit(
            final List<OutgoingEvent> outgoing,
            final Map<TopicPartition, OffsetAndMetadata> offsets,
            final Instant now) {
        final Map<TopicPartition, OffsetAndMetadata> moved = moved(offsets);
        producer.beginTransaction();
        try {
            // A record that the broker does not accept fails the commit below, so its future needs no check.
            send(outgoing, now);
            deadLetters.forEach(producer::send);
            if (!moved.isEmpty()) {
                producer.sendOffsetsToTransaction(moved, membership.metadata());
            }
            producer.commitTransaction();
        } catch (final KafkaException | IllegalArgumentException e) {
            abort(e);
            throw e;
        }
        deadLetters.clear();
        committed.putAll(moved);
        committedAt = System.nanoTime();
    }

    private Map<TopicPartition, OffsetAndMetadata> moved(final Map<TopicPartition, OffsetAndMetadata> offsets) {
        final Map<TopicPartition, OffsetAndMetadata> moved = new HashMap<>(offsets);
        moved.entrySet().removeAll(committed.entrySet());
        return moved;
    }

    /** One after the other: the records of a large batch of jobs together would not fit into the heap, the producer's buffer does. */
    private void send(final List<OutgoingEvent> outgoing, final Instant now) {
        final Map<Topic, Integer> partitions = new HashMap<>();
        for (final OutgoingEvent event : outgoing) {
            producer.send(codec.write(
                    event,
                    now,
                    partitions.computeIfAbsent(event.topic(), topic -> Topics.partitions(producer, topic))));
        }
    }

    private void abort(final RuntimeException cause) {
        try {
            producer.abortTransaction();
        } catch (final KafkaException | IllegalStateException e) {
            // Fenced or unreachable: then the successor, or the transaction's time-out, aborts it.
            cause.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        producer.close(CLOSING);
    }
}
