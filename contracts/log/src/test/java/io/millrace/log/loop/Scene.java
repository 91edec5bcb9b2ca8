package io.millrace.log.loop;

import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.EventSink;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.Topics;
import io.millrace.log.access.Part.Service;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Command;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.Stack;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/** Clusters that no other test knows, on a real broker, and what stands on its log. */
public final class Scene implements AutoCloseable {

    public static final int PARTITIONS = 3;
    static final Instant LONG_AGO = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration GENEROUS = Duration.ofMinutes(5);

    final String bootstrap;
    final String name = "t" + UUID.randomUUID().toString().substring(0, 8);
    private final EventSink sink;
    private final Set<ClusterId> clusters = ConcurrentHashMap.newKeySet();
    private long revision;

    Scene(final String bootstrap) {
        this.bootstrap = bootstrap;
        Topics.create(bootstrap, PARTITIONS, 1);
        sink = new EventSink(bootstrap, "agents-of-" + name, Clock.systemUTC(), Stack.PATIENT);
    }

    static Scene onTheStack() {
        return new Scene(Stack.kafka().bootstrapServers());
    }

    /** A service of this scene; no other test joins its group. */
    String service() {
        return "decider-" + name;
    }

    /** A cluster of this scene on the given partition. */
    ClusterId clusterOn(final int partition) {
        for (int i = 0; ; i++) {
            final ClusterId cluster = ClusterId.of(name + "-" + i);
            if (Topics.shardOf(cluster, PARTITIONS) == partition) {
                return known(cluster);
            }
        }
    }

    /** Creates the topics of a cluster, as its agent does. */
    ClusterId known(final ClusterId cluster) {
        if (!clusters.contains(cluster)) {
            Topics.create(bootstrap, cluster, 1);
            clusters.add(cluster);
        }
        return cluster;
    }

    static JobKey job(final ClusterId cluster, final int number) {
        return new JobKey(new JobId(cluster, Integer.toString(number)), LONG_AGO);
    }

    /** An observed job. */
    public static JobObserved observation(final ClusterId cluster, final int number) {
        return waiting(job(cluster, number));
    }

    static JobObserved waiting(final JobKey job) {
        return new JobObserved(
                job,
                "job",
                UserName.of("anna"),
                null,
                PartitionName.of("main"),
                new JobState.Queued(),
                null,
                Resources.cores(1),
                Duration.ofMinutes(10),
                Eligibility.since(job.submittedAt()),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    RevisionClosed marker(final ClusterId cluster) {
        return new RevisionClosed(
                cluster,
                ++revision,
                Instant.now(),
                new WlmHealth.Answering(),
                Control.DIRECTED,
                "local",
                Resources.cores(1000),
                Resources.cores(1000),
                Set.of(),
                0,
                null,
                null,
                Map.of());
    }

    /** Puts waiting jobs and the marker that closes the batch. */
    void jobsWait(final ClusterId cluster, final int first, final int last) {
        for (int number = first; number <= last; number++) {
            put(waiting(job(cluster, number)));
        }
        put(marker(cluster));
    }

    void put(final Event event) {
        send(OutgoingEvent.put(event)).join();
    }

    CompletableFuture<RecordMetadata> send(final OutgoingEvent event) {
        if (event.topic().isPerCluster()) {
            known(event.cluster());
        }
        return sink.send(event);
    }

    LoopSettings settings() {
        return settings(bootstrap, name);
    }

    /** What {@link StartEverything} reads, and a topic to form the group on. */
    static LoopSettings settings(final String bootstrap, final String scene) {
        return LoopSettings.of(
                bootstrap,
                Service.QUOTA,
                "decider-" + scene,
                Topic.CLUSTER_STATE,
                Topic.COMMANDS,
                Topic.OUTCOMES,
                Topic.AVAILABILITY);
    }

    /** Everything committed on a topic, in order per partition; of a topic per cluster, about the clusters of this scene. */
    List<ConsumerRecord<byte[], byte[]>> committed(final Topic topic) {
        return topic.isPerCluster()
                ? clusters.stream()
                        .flatMap(cluster -> committed(topic.topicName(cluster)).stream())
                        .toList()
                : committed(topic.topicName());
    }

    /** Everything committed on a topic, in order per partition. */
    List<ConsumerRecord<byte[], byte[]>> committed(final String topic) {
        return everything(topic, "read_committed");
    }

    /** Everything on a topic, committed or not. */
    List<ConsumerRecord<byte[], byte[]>> everything(final String topic, final String isolation) {
        // An open fetch, also of partitions without records, delays the end of the consumer.
        final Map<String, Object> settings = Clients.consumer(
                bootstrap, "reader-" + name, Map.of("isolation.level", isolation, "fetch.max.wait.ms", 10));
        try (KafkaConsumer<byte[], byte[]> consumer = Clients.openConsumer(settings)) {
            final List<TopicPartition> all = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(all);
            final Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            consumer.seekToBeginning(all);
            final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
            return records;
        }
    }

    /** How often each subject of this scene was commanded. */
    Map<String, Integer> commands() {
        final Map<String, Integer> counts = new HashMap<>();
        for (final ConsumerRecord<byte[], byte[]> record : committed(Topic.COMMANDS)) {
            if (EventCodec.header(record.headers(), "ce_subject").orElse("").startsWith(name)
                    && EventCodec.read(record).orElseThrow().event() instanceof Command command) {
                counts.merge(command.action().subject(), 1, Integer::sum);
            }
        }
        return counts;
    }

    static Map<String, Integer> once(final ClusterId cluster, final int first, final int last) {
        return java.util.stream.IntStream.rangeClosed(first, last)
                .boxed()
                .collect(Collectors.toMap(number -> job(cluster, number).toString(), number -> 1));
    }

    static void await(final String what, final BooleanSupplier condition) {
        final long until = System.nanoTime() + GENEROUS.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new AssertionError("did not happen within " + GENEROUS + ": " + what);
            }
            Sleep.sleep(Duration.ofMillis(50));
        }
    }

    @Override
    public void close() {
        sink.close();
    }
}
