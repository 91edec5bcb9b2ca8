package io.millrace.submit.kafka;

import io.millrace.log.Clients;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.handlers.DeliveryWorker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * One redelivery of a handler's dead letters, from the end of the previous redelivery to the current end. Events that fail again are
 * appended after that end, so the redelivery terminates.
 */
final class DeadLetterRedelivery {

    private static final Duration POLL = Duration.ofMillis(500);
    private static final String OURS = "millrace_";

    private final String bootstrapServers;
    private final DeliveryWorker worker;
    private final UndeliveredEvents undelivered;

    DeadLetterRedelivery(
            final String bootstrapServers, final DeliveryWorker worker, final UndeliveredEvents undelivered) {
        this.bootstrapServers = bootstrapServers;
        this.worker = worker;
        this.undelivered = undelivered;
    }

    void run() throws InterruptedException {
        final Handler handler = worker.handler();
        final List<TopicPartition> partitions = handler.filter().topics().stream()
                .map(Topic::deadLetterName)
                .map(name -> new TopicPartition(name, 0))
                .toList();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Clients.consumer(bootstrapServers, handler.group() + "-dead-letters", Map.of("max.poll.records", 100)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            final Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(partition -> consumer.position(partition) < end(ends, partition))) {
                for (final ConsumerRecord<byte[], byte[]> dead : consumer.poll(POLL)) {
                    final TopicPartition partition = new TopicPartition(dead.topic(), dead.partition());
                    if (dead.offset() < end(ends, partition)) {
                        redeliver(dead);
                        consumer.commitSync(Map.of(partition, new OffsetAndMetadata(dead.offset() + 1)));
                    }
                }
            }
        }
    }

    private static long end(final Map<TopicPartition, Long> ends, final TopicPartition partition) {
        return ends.getOrDefault(partition, 0L);
    }

    private void redeliver(final ConsumerRecord<byte[], byte[]> dead) throws InterruptedException {
        final boolean own = HandlerEvents.text(dead.headers(), "millrace_reader")
                .filter(worker.handler().reader()::equals)
                .isPresent();
        if (own) {
            final ConsumerRecord<byte[], byte[]> original = original(dead);
            worker.deliver(HandlerEvents.convert(original), reason -> undelivered.put(original, reason));
        }
    }

    /** The original record. */
    private static ConsumerRecord<byte[], byte[]> original(final ConsumerRecord<byte[], byte[]> dead) {
        final ConsumerRecord<byte[], byte[]> original = new ConsumerRecord<>(
                said(dead, "millrace_topic"),
                Integer.parseInt(said(dead, "millrace_partition")),
                Long.parseLong(said(dead, "millrace_offset")),
                dead.key(),
                dead.value());
        for (final Header header : dead.headers()) {
            if (!header.key().startsWith(OURS)) {
                original.headers().add(header);
            }
        }
        return original;
    }

    private static String said(final ConsumerRecord<byte[], byte[]> dead, final String header) {
        return HandlerEvents.text(dead.headers(), header)
                .orElseThrow(() -> new IllegalStateException("dead letter without header '" + header + "'"));
    }
}
