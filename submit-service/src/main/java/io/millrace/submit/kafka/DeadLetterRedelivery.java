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
 * One way through the dead letters of a handler: from where the last one ended to where they end now. What fails again is put aside
 * again, behind that end, so that the way is finite.
 */
final class DeadLetterRedelivery {

    private static final Duration POLL = Duration.ofMillis(500);
    private static final String OURS = "millrace_";

    private final String bootstrapServers;
    private final DeliveryWorker courier;
    private final UndeliveredEvents undeliverable;

    DeadLetterRedelivery(final String bootstrapServers, final DeliveryWorker courier, final UndeliveredEvents undeliverable) {
        this.bootstrapServers = bootstrapServers;
        this.courier = courier;
        this.undeliverable = undeliverable;
    }

    void run() throws InterruptedException {
        final Handler handler = courier.handler();
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
                        bring(dead);
                        consumer.commitSync(Map.of(partition, new OffsetAndMetadata(dead.offset() + 1)));
                    }
                }
            }
        }
    }

    private static long end(final Map<TopicPartition, Long> ends, final TopicPartition partition) {
        return ends.getOrDefault(partition, 0L);
    }

    private void bring(final ConsumerRecord<byte[], byte[]> dead) throws InterruptedException {
        final boolean its = HandlerEvents.text(dead.headers(), "millrace_reader")
                .filter(courier.handler().reader()::equals)
                .isPresent();
        if (its) {
            final ConsumerRecord<byte[], byte[]> living = living(dead);
            courier.deliver(HandlerEvents.letter(living), because -> undeliverable.put(living, because));
        }
    }

    /** The record as it stood on its topic. */
    private static ConsumerRecord<byte[], byte[]> living(final ConsumerRecord<byte[], byte[]> dead) {
        final ConsumerRecord<byte[], byte[]> living = new ConsumerRecord<>(
                said(dead, "millrace_topic"),
                Integer.parseInt(said(dead, "millrace_partition")),
                Long.parseLong(said(dead, "millrace_offset")),
                dead.key(),
                dead.value());
        for (final Header header : dead.headers()) {
            if (!header.key().startsWith(OURS)) {
                living.headers().add(header);
            }
        }
        return living;
    }

    private static String said(final ConsumerRecord<byte[], byte[]> dead, final String header) {
        return HandlerEvents.text(dead.headers(), header)
                .orElseThrow(() -> new IllegalStateException("a dead letter of ours has no header '" + header + "'"));
    }
}
