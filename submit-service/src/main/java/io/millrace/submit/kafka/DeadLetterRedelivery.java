package io.millrace.submit.kafka;

import io.millrace.log.Clients;
import io.millrace.log.access.Part.Service;
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
    private static final String MILLRACE_PREFIX = "millrace_";

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
        final TopicPartition deadLetters = new TopicPartition(Service.SUBMIT.deadLetters(), 0);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Clients.consumer(bootstrapServers, handler.group() + "-dead-letters", Map.of("max.poll.records", 100)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(deadLetters));
            final long end = consumer.endOffsets(List.of(deadLetters)).getOrDefault(deadLetters, 0L);
            while (consumer.position(deadLetters) < end) {
                for (final ConsumerRecord<byte[], byte[]> deadLetter : consumer.poll(POLL)) {
                    if (deadLetter.offset() < end) {
                        redeliver(deadLetter);
                        consumer.commitSync(Map.of(deadLetters, new OffsetAndMetadata(deadLetter.offset() + 1)));
                    }
                }
            }
        }
    }

    private void redeliver(final ConsumerRecord<byte[], byte[]> deadLetter) throws InterruptedException {
        final boolean own = HandlerEvents.text(deadLetter.headers(), "millrace_reader")
                .filter(worker.handler().reader()::equals)
                .isPresent();
        if (own) {
            final ConsumerRecord<byte[], byte[]> original = original(deadLetter);
            worker.deliver(HandlerEvents.ofDeadLetter(original), reason -> undelivered.put(original, reason));
        }
    }

    /** The original record. */
    private static ConsumerRecord<byte[], byte[]> original(final ConsumerRecord<byte[], byte[]> deadLetter) {
        final ConsumerRecord<byte[], byte[]> original = new ConsumerRecord<>(
                headerText(deadLetter, "millrace_topic"),
                Integer.parseInt(headerText(deadLetter, "millrace_partition")),
                Long.parseLong(headerText(deadLetter, "millrace_offset")),
                deadLetter.key(),
                deadLetter.value());
        for (final Header header : deadLetter.headers()) {
            if (!header.key().startsWith(MILLRACE_PREFIX)) {
                original.headers().add(header);
            }
        }
        return original;
    }

    private static String headerText(final ConsumerRecord<byte[], byte[]> deadLetter, final String header) {
        return HandlerEvents.text(deadLetter.headers(), header)
                .orElseThrow(() -> new IllegalStateException("dead letter without header '" + header + "'"));
    }
}
