package io.millrace.transfer.kafka;

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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The test's own hand on the log: writes as others would, and reads what is committed. */
final class TestLog implements AutoCloseable {

    static final int PARTITIONS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    final String servers = Stack.kafka().bootstrapServers();
    private final EventSink sink;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<Read> reads = new ArrayList<>();
    private final List<String> dead = new ArrayList<>();

    TestLog() {
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

    void put(final Event event) {
        send(Say.put(event));
    }

    void send(final Say say) {
        try {
            sink.send(say).get();
        } catch (final InterruptedException | ExecutionException e) {
            throw new AssertionError("not written: " + say, e);
        }
    }

    /** Something that no codec can read, under the type of a real event. */
    void poison(final Topic topic, final String type, final String key) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers), new ByteArraySerializer(), new ByteArraySerializer())) {
            final ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                    topic.topicName(),
                    0,
                    key.getBytes(StandardCharsets.UTF_8),
                    "{not json".getBytes(StandardCharsets.UTF_8));
            record.headers().add("ce_type", type.getBytes(StandardCharsets.UTF_8));
            record.headers().add("ce_specversion", "1.0".getBytes(StandardCharsets.UTF_8));
            producer.send(record);
        }
    }

    /** Everything committed so far, in order per partition. */
    List<Read> all(final Predicate<Read> which) {
        for (final ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
            if (record.topic().endsWith(".dlq")) {
                dead.add(record.topic() + " " + new String(record.key(), StandardCharsets.UTF_8));
                continue;
            }
            try {
                EventCodec.read(record).ifPresent(reads::add);
            } catch (final UnreadableMessage e) {
                continue; // poison of a test; its dead letter is what counts
            }
        }
        return reads.stream().filter(which).toList();
    }

    <E> List<E> events(final Class<E> type, final Predicate<E> which) {
        return all(read -> true).stream()
                .map(Read::event)
                .filter(type::isInstance)
                .map(type::cast)
                .filter(which)
                .toList();
    }

    <E> E await(final String what, final Class<E> type, final Predicate<E> which) {
        await(what, () -> !events(type, which).isEmpty());
        return events(type, which).getLast();
    }

    void await(final String what, final BooleanSupplier condition) {
        final long until = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new AssertionError("not within " + PATIENCE + ": " + what);
            }
            all(read -> true);
        }
    }

    void awaitDead(final Topic topic, final String key) {
        await(key + " on " + topic.deadLetterName(), () -> dead.contains(topic.deadLetterName() + " " + key));
    }

    @Override
    public void close() {
        sink.close();
        consumer.close();
    }
}
