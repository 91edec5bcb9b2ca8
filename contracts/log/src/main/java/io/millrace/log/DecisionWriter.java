package io.millrace.log;

import io.millrace.model.protocol.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The writing side of a session: what was decided, the dead letters and the offsets go out in one transaction, or not at all. Whoever
 * took over the transactional id, or a group that has moved on, makes it fail.
 */
final class DecisionWriter implements AutoCloseable {

    private static final Duration OFFSETS_EVERY = Duration.ofSeconds(5);
    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final String service;
    private final EventCodec codec;
    private final GroupMembership membership;
    private final Producer<byte[], byte[]> producer;
    private final List<ProducerRecord<byte[], byte[]>> deadLetters = new ArrayList<>();
    private Map<TopicPartition, OffsetAndMetadata> committed = Map.of();
    private long committedAt = System.nanoTime();

    DecisionWriter(final LoopSettings settings, final int partition, final GroupMembership membership) {
        this.service = settings.service();
        this.codec = new EventCodec(service);
        this.membership = membership;
        this.producer = Clients.openProducer(Clients.transactionalProducer(
                settings.bootstrapServers(), service + "-" + partition, settings.client()));
    }

    /** Fences the predecessor, and waits until what it had begun is committed or aborted. */
    void open() {
        producer.initTransactions();
    }

    /** Puts a message aside that could not be understood; it goes out with the next commit. */
    void bury(final ConsumerRecord<byte[], byte[]> record, final String reason) {
        deadLetters.add(DeadLetter.of(record, service, reason));
    }

    /** Whether offsets should be committed although nothing was decided: for dead letters at once, else now and then. */
    boolean isTime() {
        return !deadLetters.isEmpty() || System.nanoTime() - committedAt >= OFFSETS_EVERY.toNanos();
    }

    /** Commits offsets and dead letters alone, if there is anything new. */
    void commitOffsets(final Map<TopicPartition, OffsetAndMetadata> positions, final Instant now) {
        committedAt = System.nanoTime();
        if (!deadLetters.isEmpty() || !positions.equals(committed)) {
            commit(List.of(), positions, now);
        }
    }

    void commit(
            final List<OutgoingEvent> says, final Map<TopicPartition, OffsetAndMetadata> positions, final Instant now) {
        final List<ProducerRecord<byte[], byte[]>> records = records(says, now);
        producer.beginTransaction();
        try {
            // A record that cannot be written fails the commit below, so its own future tells nothing more.
            records.forEach(producer::send);
            deadLetters.forEach(producer::send);
            producer.sendOffsetsToTransaction(positions, membership.metadata());
            producer.commitTransaction();
        } catch (final KafkaException e) {
            abort(e);
            throw e;
        }
        deadLetters.clear();
        committed = positions;
        committedAt = System.nanoTime();
    }

    private List<ProducerRecord<byte[], byte[]>> records(final List<OutgoingEvent> says, final Instant now) {
        final Map<Topic, Integer> partitions = new HashMap<>();
        try {
            return says.stream()
                    .map(say -> codec.write(say, now, partitions.computeIfAbsent(say.topic(), this::partitions)))
                    .toList();
        } catch (final IllegalArgumentException e) {
            throw new DecisionFailedException("what was decided cannot be written: " + e.getMessage(), e);
        }
    }

    private int partitions(final Topic topic) {
        return producer.partitionsFor(topic.topicName()).size();
    }

    private void abort(final KafkaException because) {
        try {
            producer.abortTransaction();
        } catch (final KafkaException | IllegalStateException e) {
            // Fenced or unreachable: then the successor, or the transaction's time-out, aborts it.
            because.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        producer.close(CLOSING);
    }
}
