package io.millrace.submit.kafka;

import io.millrace.log.Clients;
import io.millrace.model.ClusterId;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.handlers.DeliveryWorker;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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
 * The Kafka consumer of one handler, with its own consumer group. It keeps polling while deliveries run, with its partitions paused, so
 * that the group does not evict a slow handler. Offsets are committed after all events of a batch are delivered or dead-lettered.
 * Delivery is therefore at least once.
 */
final class HandlerConsumer implements ConsumerRebalanceListener, AutoCloseable {

    private static final Duration IDLE_POLL = Duration.ofMillis(250);
    private static final Duration BUSY_POLL = Duration.ofMillis(100);
    private static final Duration COMMIT_INTERVAL = Duration.ofSeconds(2);
    private static final int BATCH = 100;

    private final LoggedClusters clusters;
    private final DeliveryWorker worker;
    private final UndeliveredEvents undelivered;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, OffsetAndMetadata> uncommitted = new HashMap<>();
    private Set<ClusterId> subscribed = Set.of();
    private long committed_ns = System.nanoTime();
    private long reported_ns = committed_ns;
    private @Nullable DeliveryBatch deliveries;
    private Map<TopicPartition, OffsetAndMetadata> batchEnd = Map.of();

    HandlerConsumer(
            final String bootstrapServers,
            final DeliveryWorker worker,
            final UndeliveredEvents undelivered,
            final LoggedClusters clusters) {
        this.clusters = clusters;
        this.worker = worker;
        this.undelivered = undelivered;
        final Handler handler = worker.handler();
        consumer = new KafkaConsumer<>(
                Clients.consumer(bootstrapServers, handler.group(), settings()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        subscribe(clusters.read());
    }

    private void subscribe(final Set<ClusterId> of) {
        subscribed = of;
        consumer.subscribe(LoggedClusters.topicNames(worker.handler().filter().topics(), of), this);
    }

    private static Map<String, Object> settings() {
        return Map.of(
                "max.poll.records",
                BATCH,
                "partition.assignment.strategy",
                RangeAssignor.class.getName(),
                // After a crash, the partitions are reassigned after this time.
                "session.timeout.ms",
                8_000,
                "heartbeat.interval.ms",
                2_500,
                // Also the rebalance time-out: how long the group waits for members that were lost with the broker.
                "max.poll.interval.ms",
                20_000);
    }

    /** Polls once; called repeatedly by one thread. */
    void step() {
        if (clusters.known() != subscribed) {
            subscribe(clusters.known());
        }
        if (deliveries != null && deliveries.done(BUSY_POLL)) {
            uncommitted.putAll(batchEnd);
            commit();
            deliveries = null;
            consumer.resume(consumer.assignment());
        }
        final ConsumerRecords<byte[], byte[]> batch = consumer.poll(deliveries == null ? IDLE_POLL : Duration.ZERO);
        if (!batch.isEmpty()) {
            begin(batch);
        }
        if (System.nanoTime() - committed_ns > COMMIT_INTERVAL.toNanos()) {
            commit();
        }
        if (System.nanoTime() - reported_ns > COMMIT_INTERVAL.toNanos()) {
            reportLag();
            reported_ns = System.nanoTime();
        }
    }

    private void begin(final ConsumerRecords<byte[], byte[]> batch) {
        final DeliveryBatch started = new DeliveryBatch(worker, undelivered, batch);
        if (started.none()) {
            uncommitted.putAll(batch.nextOffsets());
            return;
        }
        deliveries = started;
        batchEnd = batch.nextOffsets();
        consumer.pause(consumer.assignment());
    }

    private void commit() {
        if (!uncommitted.isEmpty()) {
            consumer.commitSync(uncommitted);
            uncommitted.clear();
        }
        committed_ns = System.nanoTime();
    }

    /** Reports events in delivery and unread events. Uses end offsets of the broker, because the lag of paused partitions is not updated. */
    private void reportLag() {
        try {
            final long unseen =
                    consumer.endOffsets(consumer.assignment(), BUSY_POLL.multipliedBy(10)).entrySet().stream()
                            .mapToLong(end -> Math.max(0, end.getValue() - consumer.position(end.getKey())))
                            .sum();
            worker.tracker().lag(unseen + (deliveries == null ? 0 : deliveries.left()));
        } catch (TimeoutException e) {
            // keep the last known lag
        }
    }

    /**
     * Starts new partitions where the handler is configured to, and commits that offset, so that a restart does not skip events. The topics of a
     * cluster that has appeared since the handler started are read from their beginning.
     */
    @Override
    public void onPartitionsAssigned(final Collection<TopicPartition> partitions) {
        final Map<TopicPartition, OffsetAndMetadata> known = consumer.committed(new HashSet<>(partitions));
        final Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
        final Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        final Set<Topic> started = known.entrySet().stream()
                .filter(one -> one.getValue() != null)
                .map(one -> Topic.named(one.getKey().topic()))
                .filter(Topic::isPerCluster)
                .collect(Collectors.toSet());
        final Map<TopicPartition, OffsetAndMetadata> initial = new HashMap<>();
        for (final TopicPartition partition : partitions) {
            if (known.get(partition) == null) {
                final boolean whole =
                        worker.handler().fromBeginning() || started.contains(Topic.named(partition.topic()));
                final long begin = (whole ? begins : ends).getOrDefault(partition, 0L);
                consumer.seek(partition, begin);
                initial.put(partition, new OffsetAndMetadata(begin));
            }
        }
        if (!initial.isEmpty()) {
            consumer.commitSync(initial);
        }
    }

    @Override
    public void onPartitionsRevoked(final Collection<TopicPartition> partitions) {
        cancelDeliveries();
        commit();
    }

    @Override
    public void onPartitionsLost(final Collection<TopicPartition> partitions) {
        cancelDeliveries();
        uncommitted.clear();
    }

    private void cancelDeliveries() {
        if (deliveries != null) {
            deliveries.cancel();
            deliveries = null;
        }
    }

    @Override
    public void close() {
        cancelDeliveries();
        consumer.close();
    }
}
