package io.millrace.lab.campaigns.plane;

import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.Topics;
import io.millrace.log.TransactionalSink;
import io.millrace.model.ClusterId;
import io.millrace.model.command.Command;
import io.millrace.model.protocol.Topic;
import io.millrace.story.StackParts;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * The agents of many clusters in one process, on a real broker. Each revision, each {@code Begun} and each answer is a transaction, as that
 * of an agent. Not thread-safe: {@link #turn} does all the work.
 */
final class SimulatedAgents implements AutoCloseable {

    private static final String NAME = "agents-of-the-bench";
    private static final int NODES = 8;
    /** As the agent does. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    /** Records in one transaction of the first revision, so that it ends long before its time-out. */
    private static final int AT_ONCE = 2_000;

    /** Beside the commands to its clusters. */
    private static final List<Topic> READ = List.of(Topic.CLASSES, Topic.ENTITLEMENTS);

    private final TransactionalSink sink;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<ClusterId, SimulatedCluster> clusters = new LinkedHashMap<>();
    private final Map<ClusterId, Instant> published = new HashMap<>();
    private final GrowthRounds rounds;
    private final Clock clock = Clock.systemUTC();

    /** @param rounds sees the committed commands, classes and entitlements, in their order per partition */
    SimulatedAgents(final StackParts stack, final int clusters, final long seed, final GrowthRounds rounds) {
        this.rounds = rounds;
        final String broker = stack.broker();
        final Map<String, Object> login = stack.brokerLogin();
        sink = new TransactionalSink(broker, NAME, NAME, clock, login);
        sink.open();
        consumer = Clients.openConsumer(Clients.consumer(broker, NAME, login));
        for (int i = 0; i < clusters; i++) {
            final ClusterId id = ClusterId.of("c" + i);
            this.clusters.put(id, new SimulatedCluster(id, NODES, new Random(seed + i)));
        }
        try (Admin admin = Clients.openAdmin(broker, login)) {
            Topics.create(admin, this.clusters.keySet(), 1);
        }
        final List<TopicPartition> all = new ArrayList<>();
        this.clusters.keySet().forEach(id -> all.add(new TopicPartition(Topic.COMMANDS.topicName(id), 0)));
        for (final Topic topic : READ) {
            consumer.partitionsFor(topic.topicName())
                    .forEach(info -> all.add(new TopicPartition(info.topic(), info.partition())));
        }
        consumer.assign(all);
        consumer.seekToBeginning(all);
    }

    List<ClusterId> clusters() {
        return List.copyOf(clusters.keySet());
    }

    /** Jobs that run at any time. */
    int running() {
        return clusters.size() * NODES;
    }

    /** Publishes the first revision of each cluster. */
    void fill(final int waiting) {
        int left = clusters.size();
        int jobs = waiting;
        for (final SimulatedCluster cluster : clusters.values()) {
            final List<OutgoingEvent> all = cluster.fill(jobs / left, clock.instant());
            jobs -= jobs / left--;
            final int last = all.size() / AT_ONCE * AT_ONCE;
            for (int from = 0; from < last; from += AT_ONCE) {
                sink.commit(all.subList(from, from + AT_ONCE));
            }
            revision(cluster, all.subList(last, all.size()));
        }
    }

    private void revision(final SimulatedCluster cluster, final List<OutgoingEvent> changes) {
        final List<OutgoingEvent> all = new ArrayList<>(changes);
        all.add(cluster.marker(clock.instant()));
        sink.commit(all);
        published.put(cluster.id(), clock.instant());
    }

    /** Ends a job of the cluster and publishes the revision that shows it. */
    void endJob(final ClusterId id) {
        final SimulatedCluster cluster = cluster(id);
        revision(cluster, cluster.endOldest(clock.instant()));
        rounds.ended(id);
    }

    private SimulatedCluster cluster(final ClusterId id) {
        return Objects.requireNonNull(clusters.get(id), () -> "a command for the unknown cluster '" + id + "'");
    }

    /** Publishes the heartbeats that are due, waits a moment for records, and executes the commands among them. */
    void turn() {
        final Instant due = clock.instant().minus(HEARTBEAT);
        published.entrySet().stream()
                .filter(last -> last.getValue().isBefore(due))
                .map(Map.Entry::getKey)
                .toList()
                .forEach(id -> revision(cluster(id), List.of()));
        for (final ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
            EventCodec.read(record).ifPresent(this::received);
        }
    }

    private void received(final LogRecord read) {
        rounds.seen(read);
        if (read.event() instanceof Command command) {
            final SimulatedCluster cluster = cluster(command.cluster());
            sink.commit(List.of(cluster.begin(command, read.offset(), clock.instant())));
            final List<OutgoingEvent> changes = new ArrayList<>();
            sink.commit(List.of(cluster.execute(command, clock.instant(), changes)));
            revision(cluster, changes);
            rounds.answered(command);
        }
    }

    @Override
    public void close() {
        consumer.close();
        sink.close();
    }
}
