package io.millrace.log.loop;

import io.millrace.model.protocol.Topic;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/** Kills the process when the broker has its first command, which is after the decision and before the commit. */
public final class HaltOnFirstCommand
        implements ProducerInterceptor<byte[], byte[]>, ConsumerInterceptor<byte[], byte[]> {

    @Override
    public void onAcknowledgement(final RecordMetadata metadata, final Exception exception) {
        if (exception == null && metadata.topic().equals(Topic.COMMANDS.topicName())) {
            Runtime.getRuntime().halt(137);
        }
    }

    @Override
    public ProducerRecord<byte[], byte[]> onSend(final ProducerRecord<byte[], byte[]> record) {
        return record;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(final ConsumerRecords<byte[], byte[]> records) {
        return records;
    }

    @Override
    public void onCommit(final Map<TopicPartition, OffsetAndMetadata> offsets) {
        // Only sending matters here.
    }

    @Override
    public void close() {
        // Nothing is held.
    }

    @Override
    public void configure(final Map<String, ?> configs) {
        // Nothing to set.
    }
}
