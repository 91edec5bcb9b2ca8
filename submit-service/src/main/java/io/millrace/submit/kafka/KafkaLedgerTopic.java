package io.millrace.submit.kafka;

import io.millrace.log.Clients;
import io.millrace.log.Topics;
import io.millrace.model.ClusterId;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.projection.LedgerTopic;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads the ledger topic from the broker. */
@ApplicationScoped
class KafkaLedgerTopic implements LedgerTopic {

    private final KafkaSettings settings;

    KafkaLedgerTopic(final KafkaSettings settings) {
        this.settings = settings;
    }

    @Override
    public boolean isConsumed() {
        final String group = settings.group();
        try (Admin admin = Clients.openAdmin(settings.bootstrapServers(), Map.of())) {
            final KafkaFuture<ConsumerGroupDescription> description =
                    Objects.requireNonNull(admin.describeConsumerGroups(List.of(group))
                            .describedGroups()
                            .get(group));
            return !description.get().members().isEmpty();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return false;
            }
            throw new IllegalStateException("the broker does not answer which instances read the log", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading the consumer group", e);
        }
    }

    @Override
    public int partitionOf(final ClusterId cluster) {
        return Topics.partitionOf(Topic.LEDGER, cluster, settings.partitions());
    }

    @Override
    public long firstSince(final int partition, final @Nullable Instant since) {
        final TopicPartition ledger = new TopicPartition(Topic.LEDGER.topicName(), partition);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Clients.consumer(settings.bootstrapServers(), "ledger-offsets", Map.of()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            final List<TopicPartition> partitions = List.of(ledger);
            final long begin = consumer.beginningOffsets(partitions).getOrDefault(ledger, 0L);
            if (since == null) {
                return begin;
            }
            final @Nullable OffsetAndTimestamp found = consumer.offsetsForTimes(Map.of(ledger, since.toEpochMilli()))
                    .get(ledger);
            final long first =
                    found == null ? consumer.endOffsets(partitions).getOrDefault(ledger, 0L) : found.offset();
            if (begin > 0 && first == begin) {
                throw new IllegalStateException(ledger + " may have lost entries that were written after " + since
                        + " (retention); restore the database from a backup instead");
            }
            return first;
        }
    }
}
