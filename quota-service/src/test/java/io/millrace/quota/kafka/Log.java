package io.millrace.quota.kafka;

import io.millrace.log.EventCodec;
import io.millrace.log.EventSink;
import io.millrace.log.Read;
import io.millrace.log.Say;
import io.millrace.log.Topics;
import io.millrace.log.UnreadableMessage;
import io.millrace.model.Event;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.Stack;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The test's own hand on the log: writes as agents and people would, and reads what is committed. */
final class Log implements AutoCloseable {

    static final int PARTITIONS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final String servers = Stack.kafka().bootstrapServers();
    private final EventSink sink;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<Read> reads = new ArrayList<>();
    private final List<ConsumerRecord<byte[], byte[]>> dead = new ArrayList<>();

    Log() {
        Topics.create(servers, PARTITIONS, 1);
        sink = new EventSink(servers, "test", Clock.systemUTC());
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        final List<TopicPartition> all = new ArrayList<>();
        for (final Topic topic : Topic.values()) {
            consumer.partitionsFor(topic.topicName())
                    .forEach(info -> all.add(new TopicPartition(info.topic(), info.partition())));
            all.add(new TopicPartition(topic.deadLetterName(), 0));
        }
        consumer.assign(all);
        consumer.seekToBeginning(all);
    }

    String servers() {
        return servers;
    }

    void put(final Event... events) {
        Arrays.stream(events).forEach(event -> send(Say.put(event)));
    }

    void send(final Say say) {
        try {
            sink.send(say).get();
        } catch (final InterruptedException | ExecutionException e) {
            throw new AssertionError("not written: " + say, e);
        }
    }

    /** Something that no codec can read. */
    void poison(final Topic topic, final int partition, final String key) {
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", servers),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            final ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                    topic.topicName(),
                    partition,
                    key.getBytes(StandardCharsets.UTF_8),
                    "{not json".getBytes(StandardCharsets.UTF_8));
            record.headers().add("ce_type", "millrace.job.observed.v1".getBytes(StandardCharsets.UTF_8));
            producer.send(record);
        }
    }

    /** Everything committed so far on the topic whose event or key satisfies the condition. */
    List<Read> all(final Topic topic, final Predicate<Read> which) {
        poll(Duration.ofMillis(200));
        return reads.stream()
                .filter(read -> read.topic() == topic && which.test(read))
                .toList();
    }

    /** Waits for the first such record. */
    Read await(final Topic topic, final Predicate<Read> which) {
        final long until = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < until) {
            final List<Read> found = all(topic, which);
            if (!found.isEmpty()) {
                return found.getFirst();
            }
        }
        throw new AssertionError("nothing like that on " + topic.topicName() + " within " + PATIENCE + "; there is: "
                + all(topic, read -> true));
    }

    ConsumerRecord<byte[], byte[]> awaitDead(final Topic topic, final String key) {
        final long until = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < until) {
            poll(Duration.ofMillis(200));
            for (final ConsumerRecord<byte[], byte[]> record : dead) {
                if (record.topic().equals(topic.deadLetterName())
                        && key.equals(new String(record.key(), StandardCharsets.UTF_8))) {
                    return record;
                }
            }
        }
        throw new AssertionError("'" + key + "' did not come to " + topic.deadLetterName() + " within " + PATIENCE);
    }

    private void poll(final Duration time) {
        for (final ConsumerRecord<byte[], byte[]> record : consumer.poll(time)) {
            if (record.topic().endsWith(".dlq")) {
                dead.add(record);
                continue;
            }
            try {
                EventCodec.read(record).ifPresent(reads::add);
            } catch (final UnreadableMessage e) {
                // Poison of a test; its dead letter is what counts.
                continue;
            }
        }
    }

    @Override
    public void close() {
        sink.close();
        consumer.close();
    }
}
