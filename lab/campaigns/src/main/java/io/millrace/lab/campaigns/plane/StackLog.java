package io.millrace.lab.campaigns.plane;

import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.LogRecord;
import io.millrace.model.protocol.Topic;
import io.millrace.story.StackParts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;

/** Reads what is on the log of a running stack. */
final class StackLog {

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration KEPT = Duration.ofDays(1);

    private StackLog() {}

    /** From now on, topics are not compacted, so that {@link #read} returns every record. */
    static void keepAll(final StackParts stack) {
        final AlterConfigOp later = new AlterConfigOp(
                new ConfigEntry("log.cleaner.min.compaction.lag.ms", Long.toString(KEPT.toMillis())),
                AlterConfigOp.OpType.SET);
        final ConfigResource allBrokers = new ConfigResource(ConfigResource.Type.BROKER, "");
        try (Admin admin = Clients.openAdmin(stack.broker(), stack.brokerLogin())) {
            admin.incrementalAlterConfigs(Map.of(allBrokers, List.of(later)))
                    .all()
                    .get();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while configuring the broker", e);
        } catch (final ExecutionException e) {
            throw new IllegalStateException("the broker cannot be configured: " + e.getMessage(), e);
        }
    }

    /** All committed records of these topics. */
    static List<LogRecord> read(final StackParts stack, final List<Topic> topics) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                Clients.openConsumer(Clients.consumer(stack.broker(), "measurement", stack.brokerLogin()))) {
            final List<TopicPartition> all = consumer.listTopics().entrySet().stream()
                    .filter(name ->
                            Topic.find(name.getKey()).filter(topics::contains).isPresent())
                    .flatMap(name -> name.getValue().stream())
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .toList();
            consumer.assign(all);
            consumer.seekToBeginning(all);
            final Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            final List<LogRecord> records = new ArrayList<>();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (final ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    EventCodec.read(record).ifPresent(records::add);
                }
            }
            return records;
        }
    }
}
