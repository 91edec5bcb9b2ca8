package io.millrace.testing.service;

import io.millrace.log.EventCodec;
import io.millrace.log.EventSink;
import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.Topics;
import io.millrace.log.UnreadableMessageException;
import io.millrace.log.access.Part;
import io.millrace.log.access.Part.Service;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.Stack;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

/** Access to the log for a test: writes events of any producer and reads committed records. Not thread-safe. */
public final class TestLog implements AutoCloseable {

    /** Partitions of the topics that are spread by cluster, on the tests' broker. */
    public static final int PARTITIONS = 3;

    static final Duration TIMEOUT = Duration.ofMinutes(5);

    /** Original topic and key of a dead letter. */
    private record DeadLetter(Topic topic, String key) {}

    private final String servers;
    private final EventSink sink;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<LogRecord> reads = new ArrayList<>();
    private final Set<DeadLetter> dead = new HashSet<>();
    private final Set<ClusterId> clusters = new HashSet<>();

    public TestLog() {
        this(Stack.kafka().bootstrapServers());
    }

    /** @param servers the brokers, {@code host:port} */
    public TestLog(final String servers) {
        this.servers = servers;
        Topics.create(servers, PARTITIONS, 1);
        sink = new EventSink(servers, "test", Clock.systemUTC(), Stack.PATIENT);
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        final List<TopicPartition> all = new ArrayList<>();
        consumer.listTopics().forEach((name, partitions) -> {
            if (Topic.find(name).isPresent()) {
                partitions.forEach(info -> all.add(new TopicPartition(name, info.partition())));
                Topic.clusterOf(name).ifPresent(clusters::add);
            }
        });
        for (final Service service : Service.values()) {
            all.add(new TopicPartition(service.deadLetters(), 0));
        }
        readFromBeginning(all);
    }

    private void readFromBeginning(final List<TopicPartition> added) {
        final Set<TopicPartition> all = new HashSet<>(consumer.assignment());
        all.addAll(added);
        consumer.assign(all);
        consumer.seekToBeginning(added);
    }

    /** Creates the topics of a cluster, as its agent does, unless they are known. */
    public ClusterId known(final ClusterId cluster) {
        if (clusters.add(cluster)) {
            Topics.create(servers, cluster, 1);
            readFromBeginning(Arrays.stream(Topic.values())
                    .filter(Topic::isPerCluster)
                    .map(topic -> new TopicPartition(topic.topicName(cluster), 0))
                    .toList());
        }
        return cluster;
    }

    /** The brokers, {@code host:port}. */
    public String servers() {
        return servers;
    }

    public void put(final Event... events) {
        Arrays.stream(events).forEach(event -> send(OutgoingEvent.put(event)));
    }

    /** Sends and returns when the broker has acknowledged. */
    public void send(final OutgoingEvent event) {
        if (event.topic().isPerCluster() && event.cluster() != null) {
            known(event.cluster());
        }
        try {
            sink.send(event).get();
        } catch (final InterruptedException | ExecutionException e) {
            throw new AssertionError("not written: " + event, e);
        }
    }

    /** Writes an unreadable message with the type of a real event to partition 0 of that type's topic, of the cluster that the key begins with. */
    public void poison(final EventType type, final String key) {
        poison(type, key, "{not json");
    }

    /** Writes this value with the type of a real event, as {@link #poison(EventType, String)}. */
    public void poison(final EventType type, final String key, final String value) {
        poison(type.topic(), 0, type, key, value);
    }

    /** Writes an unreadable message with the type of an observed job to any topic. */
    public void poison(final Topic topic, final int partition, final String key) {
        poison(topic, partition, EventType.JOB_OBSERVED, key, "{not json");
    }

    private void poison(
            final Topic topic, final int partition, final EventType type, final String key, final String value) {
        final ClusterId cluster = topic.isPerCluster() ? known(ClusterId.of(key.replaceFirst("(?s)/.*", ""))) : null;
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers), new ByteArraySerializer(), new ByteArraySerializer())) {
            final ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                    topic.topicName(cluster), topic.isPerCluster() ? 0 : partition, utf8(key), utf8(value));
            record.headers().add("ce_type", utf8(type.typeName()));
            record.headers().add("ce_specversion", utf8("1.0"));
            producer.send(record);
        }
    }

    private static byte[] utf8(final String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Everything committed so far that satisfies the condition, in order per partition. */
    public List<LogRecord> all(final Predicate<LogRecord> which) {
        for (final ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
            if (record.key() == null) {
                continue; // unreadable
            }
            if (record.topic().startsWith(Part.DEAD_LETTERS)) {
                final String from =
                        EventCodec.header(record.headers(), "millrace_topic").orElseThrow();
                dead.add(new DeadLetter(Topic.named(from), new String(record.key(), StandardCharsets.UTF_8)));
                continue;
            }
            try {
                EventCodec.read(record).ifPresent(reads::add);
            } catch (final UnreadableMessageException e) {
                continue; // written by poison(); the tests check its dead letter
            }
        }
        return reads.stream().filter(which).toList();
    }

    /** As {@link #all(Predicate)}, on one topic. */
    public List<LogRecord> all(final Topic topic, final Predicate<LogRecord> which) {
        return all(read -> read.topic() == topic && which.test(read));
    }

    public <E> List<E> events(final Class<E> type, final Predicate<E> which) {
        return all(read -> true).stream()
                .map(LogRecord::event)
                .filter(type::isInstance)
                .map(type::cast)
                .filter(which)
                .toList();
    }

    /** Waits for the first such record on the topic. */
    public LogRecord await(final Topic topic, final Predicate<LogRecord> which) {
        final long until = System.nanoTime() + TIMEOUT.toNanos();
        while (System.nanoTime() < until) {
            final List<LogRecord> found = all(topic, which);
            if (!found.isEmpty()) {
                return found.getFirst();
            }
        }
        throw new AssertionError("no such record on " + topic.topicName() + " within " + TIMEOUT + "; records: "
                + all(topic, read -> true));
    }

    /** Waits for such an event; the last one if there are several. */
    public <E> E await(final String what, final Class<E> type, final Predicate<E> which) {
        await(what, () -> !events(type, which).isEmpty());
        return events(type, which).getLast();
    }

    public void await(final String what, final BooleanSupplier condition) {
        final long until = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new AssertionError("not within " + TIMEOUT + ": " + what);
            }
            all(read -> true);
        }
    }

    /** Waits until the dead letters of a service contain a record of the topic with this key. */
    public void awaitDead(final Topic topic, final String key) {
        await("dead letter '" + key + "' of " + topic.topicName(), () -> dead.contains(new DeadLetter(topic, key)));
    }

    @Override
    public void close() {
        sink.close();
        consumer.close();
    }
}
