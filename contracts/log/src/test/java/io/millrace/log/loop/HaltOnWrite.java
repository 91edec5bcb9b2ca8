package io.millrace.log.loop;

import io.millrace.model.protocol.Topic;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/** Kills the process when the broker has a number of records of a topic, which is after a decision and before its commit. */
public final class HaltOnWrite implements ProducerInterceptor<byte[], byte[]>, ConsumerInterceptor<byte[], byte[]> {

    private static final String TOPIC = "halt.topic";
    private static final String RECORDS = "halt.records";
    private static final AtomicInteger WRITTEN = new AtomicInteger();

    private String topic = "";
    private int records;

    /** Client settings of an {@link Instance}, whose successor need not wait long. */
    static String[] after(final Topic topic, final int records) {
        return new String[] {
            "session.timeout.ms=6000",
            "interceptor.classes=" + HaltOnWrite.class.getName(),
            TOPIC + "=" + topic.topicName(),
            RECORDS + "=" + records
        };
    }

    @Override
    public void onAcknowledgement(final RecordMetadata metadata, final Exception exception) {
        if (exception == null && metadata.topic().startsWith(topic) && WRITTEN.incrementAndGet() >= records) {
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
        topic = (String) configs.get(TOPIC);
        records = Integer.parseInt((String) configs.get(RECORDS));
    }
}
