package io.millrace.agent.kafka;

import io.millrace.agent.AgentLog;
import io.millrace.log.ClientProperties;
import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.Topics;
import io.millrace.log.TransactionalSink;
import io.millrace.log.UnwritableEventException;
import io.millrace.log.WriterFencedException;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.protocol.Topic;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** {@link AgentLog} on a Kafka broker. Opening it again closes the previous session. */
public final class KafkaAgentLog implements AgentLog {

    private static final Duration POSITION_EVERY = Duration.ofSeconds(5);

    private final String bootstrapServers;
    private final int replication;
    private final ClusterId cluster;
    private final Clock clock;
    private final EventCodec codec;
    private final Map<String, Object> client;
    private volatile @Nullable Session session;
    private volatile boolean waiting;
    private @Nullable TopicPartition commands;
    private long positionSavedAt;
    private long savedPosition = -1;

    /**
     * @param replication replication factor of the topics of the cluster, if they are created
     * @param clientProperties file with further Kafka properties, e.g. the login
     */
    public KafkaAgentLog(
            final String bootstrapServers,
            final int replication,
            final ClusterId cluster,
            final Clock clock,
            final Optional<Path> clientProperties) {
        this.bootstrapServers = bootstrapServers;
        this.replication = replication;
        this.cluster = cluster;
        this.clock = clock;
        this.codec = new EventCodec(service(cluster));
        this.client = clientProperties.map(ClientProperties::read).orElse(Map.of());
    }

    private static String service(final ClusterId cluster) {
        return "agent/" + cluster;
    }

    private record Session(
            TransactionalSink sink,
            KafkaConsumer<byte[], byte[]> consumer,
            CommandReader reader,
            List<Incoming> replayed) {}

    @Override
    public ReplayedState open() {
        leave();
        final String who = "agent-" + cluster;
        final TransactionalSink sink = new TransactionalSink(bootstrapServers, service(cluster), who, clock, client);
        final Map<String, Object> settings = Clients.consumer(bootstrapServers, who, client);
        final KafkaConsumer<byte[], byte[]> consumer = Clients.openTail(settings);
        final Session next = new Session(sink, consumer, new CommandReader(cluster, clock, sink), new ArrayList<>());
        session = next;
        try (Admin admin = Clients.openAdmin(bootstrapServers, client);
                KafkaConsumer<byte[], byte[]> past = Clients.openAssigned(settings)) {
            Topics.create(admin, List.of(cluster), replication);
            sink.open();
            final LogReplay replay = new LogReplay(cluster, admin, past);
            replay.rewind(clock.instant());
            commands = replay.commands();
            readBack(replay, past, next);
            replay.rewindEnds();
            readBack(replay, past, next);
            final Map<TopicPartition, Long> continuation = replay.continuation();
            consumer.assign(continuation.keySet());
            continuation.forEach(consumer::seek);
            return replay.memory();
        } catch (final WriterFencedException e) {
            throw new Fenced("another agent serves cluster '" + cluster + "' now", e);
        } catch (final KafkaException | IllegalStateException e) {
            throw new Unavailable("cannot read from Kafka at " + bootstrapServers + ": " + e.getMessage(), e);
        }
    }

    private static void readBack(final LogReplay replay, final KafkaConsumer<byte[], byte[]> past, final Session next) {
        while (!replay.isOver()) {
            for (final ConsumerRecord<byte[], byte[]> record : past.poll(Duration.ofMillis(250))) {
                replay.apply(record, next.reader).ifPresent(next.replayed::add);
            }
        }
    }

    @Override
    public List<Incoming> poll(final Duration patience) {
        final Session now = opened();
        if (!now.replayed.isEmpty()) {
            final List<Incoming> first = List.copyOf(now.replayed);
            now.replayed.clear();
            return first;
        }
        try {
            savePosition(now);
            final List<Incoming> in = new ArrayList<>();
            waiting = true;
            for (final ConsumerRecord<byte[], byte[]> record : now.consumer.poll(patience)) {
                now.reader.read(record).ifPresent(in::add);
            }
            return in;
        } catch (final WakeupException e) {
            // Woken by another thread; records are returned by the next call.
            return List.of();
        } catch (final WriterFencedException e) {
            throw new Fenced("another agent serves cluster '" + cluster + "' now", e);
        } catch (final KafkaException e) {
            throw new Unavailable("cannot read from Kafka at " + bootstrapServers + ": " + e.getMessage(), e);
        } finally {
            waiting = false;
        }
    }

    /** The position only prevents sending unreadable commands to the dead letters twice; executed commands are known from outcomes. */
    private void savePosition(final Session now) {
        if (commands != null && System.nanoTime() - positionSavedAt > POSITION_EVERY.toNanos()) {
            positionSavedAt = System.nanoTime();
            final long position = now.consumer.position(commands);
            if (position != savedPosition) {
                savedPosition = position;
                now.consumer.commitAsync(Map.of(commands, new OffsetAndMetadata(position)), null);
            }
        }
    }

    @Override
    public void wake() {
        final Session now = session;
        if (now != null && waiting) {
            now.consumer.wakeup();
        }
    }

    @Override
    public void commit(final List<Entry> entries) {
        final List<OutgoingEvent> events = entries.stream().map(this::event).toList();
        try {
            opened().sink.commit(events);
        } catch (final UnwritableEventException e) {
            throw new Unwritable("a record cannot be written: " + e.getMessage(), e, unwritable(entries));
        } catch (final WriterFencedException e) {
            throw new Fenced("another agent serves cluster '" + cluster + "' now", e);
        } catch (final KafkaException | IllegalStateException e) {
            throw new Unavailable("cannot write to Kafka at " + bootstrapServers + ": " + e.getMessage(), e);
        }
    }

    private Set<Event> unwritable(final List<Entry> entries) {
        return entries.stream()
                .flatMap(entry -> entry instanceof Entry.Put put ? Stream.of(put.event()) : Stream.empty())
                .filter(event -> !codec.isWritable(event, clock.instant()))
                .collect(Collectors.toSet());
    }

    private OutgoingEvent event(final Entry entry) {
        return switch (entry) {
            case Entry.Put put -> OutgoingEvent.put(put.event());
            case Entry.Removed gone -> OutgoingEvent.remove(Topic.CLUSTER_STATE, gone.key(), cluster);
        };
    }

    private Session opened() {
        final Session now = session;
        if (now == null) {
            throw new IllegalStateException("the agent log is not open");
        }
        return now;
    }

    private void leave() {
        final Session old = session;
        session = null;
        if (old != null) {
            old.sink.close();
            old.consumer.close();
        }
    }

    @Override
    public void close() {
        leave();
    }
}
