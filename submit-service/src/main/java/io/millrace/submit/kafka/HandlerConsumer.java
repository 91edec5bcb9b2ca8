package io.millrace.submit.kafka;

import io.millrace.log.Clients;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.handlers.DeliveryWorker;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * One handler's reading of the log, in a consumer group of its own. It goes on reading (nothing, while deliveries are on their way), so
 * that the group never takes a slow handler for a dead one. The place is kept when the letters of a batch are delivered or put aside:
 * whatever dies, none is left out, and some come twice.
 */
final class HandlerConsumer implements ConsumerRebalanceListener, AutoCloseable {

    private static final Duration AT_REST = Duration.ofMillis(250);
    private static final Duration UNDER_WAY = Duration.ofMillis(100);
    private static final Duration KEEP = Duration.ofSeconds(2);
    private static final int BATCH = 100;

    private final DeliveryWorker courier;
    private final UndeliveredEvents undeliverable;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, OffsetAndMetadata> unkept = new HashMap<>();
    private long kept_ns = System.nanoTime();
    private long told_ns = kept_ns;
    private @Nullable DeliveryBatch deliveries;
    private Map<TopicPartition, OffsetAndMetadata> behindThem = Map.of();

    HandlerConsumer(final String bootstrapServers, final DeliveryWorker courier, final UndeliveredEvents undeliverable) {
        this.courier = courier;
        this.undeliverable = undeliverable;
        final Handler handler = courier.handler();
        consumer = new KafkaConsumer<>(
                Clients.consumer(bootstrapServers, handler.group(), settings()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.subscribe(
                handler.filter().topics().stream().map(Topic::topicName).toList(), this);
    }

    private static Map<String, Object> settings() {
        return Map.of(
                "max.poll.records",
                BATCH,
                "partition.assignment.strategy",
                RangeAssignor.class.getName(),
                // Of an instance that was killed another one takes over after this, and so does its own next start.
                "session.timeout.ms",
                8_000,
                "heartbeat.interval.ms",
                2_500);
    }

    /** One step; called again and again by one thread. */
    void step() {
        if (deliveries != null && deliveries.done(UNDER_WAY)) {
            unkept.putAll(behindThem);
            keep();
            deliveries = null;
            consumer.resume(consumer.assignment());
        }
        final ConsumerRecords<byte[], byte[]> batch = consumer.poll(deliveries == null ? AT_REST : Duration.ZERO);
        if (!batch.isEmpty()) {
            begin(batch);
        }
        if (System.nanoTime() - kept_ns > KEEP.toNanos()) {
            keep();
        }
        if (System.nanoTime() - told_ns > KEEP.toNanos()) {
            tellHowFarBehind();
            told_ns = System.nanoTime();
        }
    }

    private void begin(final ConsumerRecords<byte[], byte[]> batch) {
        final DeliveryBatch begun = new DeliveryBatch(courier, undeliverable, batch);
        if (begun.none()) {
            unkept.putAll(batch.nextOffsets());
            return;
        }
        deliveries = begun;
        behindThem = batch.nextOffsets();
        consumer.pause(consumer.assignment());
    }

    private void keep() {
        if (!unkept.isEmpty()) {
            consumer.commitSync(unkept);
            unkept.clear();
        }
        kept_ns = System.nanoTime();
    }

    /** What is on its way, and what nobody has looked at yet; the broker is asked, for the lag of paused partitions stands still. */
    private void tellHowFarBehind() {
        try {
            final long unseen =
                    consumer.endOffsets(consumer.assignment(), UNDER_WAY.multipliedBy(10)).entrySet().stream()
                            .mapToLong(end -> Math.max(0, end.getValue() - consumer.position(end.getKey())))
                            .sum();
            courier.life().behind(unseen + (deliveries == null ? 0 : deliveries.left()));
        } catch (TimeoutException e) {
            // As old as the broker's last answer.
        }
    }

    /** A handler never seen on a partition begins as it says, and that is kept at once: a restart must not skip what comes meanwhile. */
    @Override
    public void onPartitionsAssigned(final Collection<TopicPartition> partitions) {
        final Map<TopicPartition, OffsetAndMetadata> known = consumer.committed(new HashSet<>(partitions));
        final Map<TopicPartition, Long> begins = courier.handler().fromBeginning()
                ? consumer.beginningOffsets(partitions)
                : consumer.endOffsets(partitions);
        final Map<TopicPartition, OffsetAndMetadata> fresh = new HashMap<>();
        for (final TopicPartition partition : partitions) {
            if (known.get(partition) == null) {
                final long begin = begins.getOrDefault(partition, 0L);
                consumer.seek(partition, begin);
                fresh.put(partition, new OffsetAndMetadata(begin));
            }
        }
        if (!fresh.isEmpty()) {
            consumer.commitSync(fresh);
        }
    }

    @Override
    public void onPartitionsRevoked(final Collection<TopicPartition> partitions) {
        abandon();
        keep();
    }

    @Override
    public void onPartitionsLost(final Collection<TopicPartition> partitions) {
        abandon();
        unkept.clear();
    }

    private void abandon() {
        if (deliveries != null) {
            deliveries.breakOff();
            deliveries = null;
        }
    }

    @Override
    public void close() {
        abandon();
        consumer.close();
    }
}
