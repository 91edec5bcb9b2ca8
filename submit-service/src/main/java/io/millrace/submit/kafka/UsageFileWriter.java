package io.millrace.submit.kafka;

import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.LogRecord;
import io.millrace.log.UnreadableMessageException;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.domain.handler.UsageFileSettings;
import io.millrace.submit.handlers.HandlerTracker;
import io.millrace.submit.handlers.UsageFolder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes ended runs to usage record files. Offsets are stored with the files, not by the broker. */
final class UsageFileWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(UsageFileWriter.class);
    private static final Duration POLL = Duration.ofMillis(250);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(5);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(15);

    private final String bootstrapServers;
    private final UsageFileSettings settings;
    private final HandlerTracker tracker;
    private final LoggedClusters clusters;
    private final Thread writer;
    private volatile boolean stopping;

    UsageFileWriter(
            final String bootstrapServers,
            final UsageFileSettings settings,
            final HandlerTracker tracker,
            final LoggedClusters clusters) {
        this.clusters = clusters;
        this.bootstrapServers = bootstrapServers;
        this.settings = settings;
        this.tracker = tracker;
        this.writer = Thread.ofPlatform().daemon().name("usage-records").unstarted(this::write);
    }

    void start() {
        writer.start();
    }

    HandlerTracker tracker() {
        return tracker;
    }

    private void write() {
        while (!stopping) {
            try (UsageFolder folder = UsageFolder.open(settings);
                    KafkaConsumer<byte[], byte[]> consumer = consumer()) {
                Set<ClusterId> of = clusters.read();
                begin(consumer, of, folder);
                tracker.connected();
                while (!stopping) {
                    take(consumer.poll(POLL), folder);
                    tracker.lag(behind(consumer));
                    if (clusters.known() != of) {
                        of = clusters.known();
                        begin(consumer, of, folder);
                    }
                }
            } catch (IOException | RuntimeException e) {
                tracker.failed(String.valueOf(e.getMessage()));
                LOG.atWarn()
                        .addKeyValue("retryIn", RETRY_INTERVAL)
                        .addKeyValue("reason", e.getMessage())
                        .log("usage records cannot be written");
                rest();
            }
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                Clients.consumer(bootstrapServers, "millrace-usage-records", Map.of("max.poll.records", 500)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private static void begin(
            final KafkaConsumer<byte[], byte[]> consumer, final Set<ClusterId> clusters, final UsageFolder folder) {
        final List<TopicPartition> partitions = clusters.stream()
                .map(cluster -> new TopicPartition(Topic.JOB_ENDS.topicName(cluster), 0))
                .toList();
        consumer.assign(partitions);
        final Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
        final Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        for (final TopicPartition partition : partitions) {
            final long begin = begins.getOrDefault(partition, 0L);
            final long next = folder.next().getOrDefault(partition.topic(), begin);
            final long end = ends.getOrDefault(partition, 0L);
            if (next > end) {
                throw new IllegalStateException(
                        "the usage records contain " + partition + " up to offset " + next + ", but the log ends at "
                                + end + ", so they belong to another log; configure an empty folder");
            }
            if (next < begin) {
                LOG.atError()
                        .addKeyValue("partition", partition)
                        .addKeyValue("from", next)
                        .addKeyValue("to", begin)
                        .log("runs are missing in the usage records because the log no longer contains them");
            }
            consumer.seek(partition, Math.max(next, begin));
        }
    }

    private void take(final ConsumerRecords<byte[], byte[]> batch, final UsageFolder folder) throws IOException {
        if (batch.isEmpty()) {
            return;
        }
        final List<UsageFolder.Entry> entries = new ArrayList<>(batch.count());
        batch.forEach(record -> entries.add(new UsageFolder.Entry(record.topic(), record.offset(), run(record))));
        final int runs = folder.write(entries);
        if (runs > 0) {
            tracker.delivered(runs);
        }
    }

    private static @Nullable RunEnded run(final ConsumerRecord<byte[], byte[]> record) {
        try {
            return EventCodec.read(record)
                    .map(LogRecord::event)
                    .filter(RunEnded.class::isInstance)
                    .map(RunEnded.class::cast)
                    .orElse(null);
        } catch (UnreadableMessageException e) {
            return null; // the projection dead-letters it
        }
    }

    private static long behind(final KafkaConsumer<byte[], byte[]> consumer) {
        return consumer.assignment().stream()
                .map(consumer::currentLag)
                .mapToLong(lag -> lag.orElse(0))
                .sum();
    }

    private void rest() {
        try {
            Thread.sleep(RETRY_INTERVAL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // stopping
        }
    }

    @Override
    public void close() {
        stopping = true;
        try {
            if (!writer.join(STOP_TIMEOUT)) {
                LOG.warn("usage file writer does not stop");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
