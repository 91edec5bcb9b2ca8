package io.millrace.story.plane;

import io.millrace.log.ClientProperties;
import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.LogRecord;
import io.millrace.model.protocol.Topic;
import io.millrace.story.StackParts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads what is on the log of a running stack. */
final class StackLog {

    private static final Duration POLL = Duration.ofSeconds(1);

    private StackLog() {}

    /** All committed records of these topics. */
    static List<LogRecord> read(final StackParts stack, final List<Topic> topics) {
        final Map<String, Object> login = ClientProperties.read(stack.data().resolve("kafka-client.properties"));
        try (KafkaConsumer<byte[], byte[]> consumer = Clients.openConsumer(
                Clients.consumer("127.0.0.1:" + stack.port(StackParts.BROKER), "measurement", login))) {
            final List<TopicPartition> all = topics.stream()
                    .flatMap(topic -> consumer.partitionsFor(topic.topicName()).stream())
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
