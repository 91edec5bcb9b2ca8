package io.millrace.log;

import io.millrace.log.access.BrokerAccess;
import io.millrace.log.access.Part;
import io.millrace.log.access.Part.Service;
import io.millrace.log.loop.Sleep;
import io.millrace.model.ClusterId;
import io.millrace.model.protocol.Topic;
import io.millrace.model.protocol.Topic.Spread;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * The topics on the broker: how they are created, and which partition a cluster has. Each service creates the topics that clusters share; an
 * agent creates those of its cluster.
 */
public final class Topics {

    /** How long dead letters are kept. */
    static final Duration DEAD_LETTERS_KEPT = Duration.ofDays(30);

    /** Creating all topics may take longer than other requests on a busy broker. */
    private static final int TIMEOUT_MS = 120_000;

    private static final Duration PROPAGATION = Duration.ofSeconds(30);
    private static final Duration DEFAULT_SEGMENT = Duration.ofDays(7);
    private static final int SEGMENT_BYTES = 32 * 1024 * 1024;
    /** The segment that is written is not compacted, and every restart replays it. */
    private static final int COMPACTED_SEGMENT_BYTES = 2 * 1024 * 1024;

    /** The broker reserves it twice for each partition, and a large site has thousands of topics; enough for the largest segment. */
    private static final int INDEX_BYTES = 128 * 1024;

    private Topics() {}

    /**
     * Creates what all services would create. For tests and tools that write the whole log.
     *
     * @throws IllegalStateException as {@link #create(Admin, Collection, int, int)}
     */
    public static void create(final String bootstrapServers, final int partitions, final int replication) {
        create(bootstrapServers, List.of(Service.values()), partitions, replication);
    }

    /** As {@link #create(Admin, Collection, int, int)}, with a client of its own. */
    public static void create(
            final String bootstrapServers,
            final Collection<? extends Part> parts,
            final int partitions,
            final int replication) {
        try (Admin admin = Clients.openAdmin(bootstrapServers, Map.of())) {
            create(admin, parts, partitions, replication);
        }
    }

    /**
     * Creates the topics that these parts create and that are not there yet ({@link BrokerAccess#creates}). What is there stays as it is. If all are
     * there, no right to create topics is needed.
     *
     * @param partitions of each topic that is spread by cluster; the same for all of them, for ever
     * @throws IllegalStateException if a topic is there with another number of partitions, the broker's transactions are too old
     *     ({@link TransactionVersion}), or it does not answer
     */
    public static void create(
            final Admin admin, final Collection<? extends Part> parts, final int partitions, final int replication) {
        TransactionVersion.require(admin);
        final Set<String> existing = existing(admin);
        final Set<String> used = new TreeSet<>();
        final Set<String> missing = new TreeSet<>();
        for (final Part part : parts) {
            final BrokerAccess row = BrokerAccess.of(part);
            missing.addAll(row.creates());
            used.addAll(row.creates());
        }
        missing.removeAll(existing);
        final Set<String> checked = new TreeSet<>(existing);
        checked.addAll(missing);
        checked.retainAll(used);
        checked.removeIf(name -> Topic.find(name).isEmpty());
        create(
                admin,
                missing.stream()
                        .map(name -> topic(name, partitions, replication))
                        .toList());
        check(admin, checked, partitions);
    }

    /**
     * Creates what the agents of these clusters would create.
     *
     * @throws IllegalStateException as {@link #create(Admin, Collection, int, int)}
     */
    public static void create(final Admin admin, final Collection<ClusterId> clusters, final int replication) {
        create(admin, clusters.stream().map(Part.Agent::new).toList(), 1, replication);
    }

    /** As {@link #create(Admin, Collection, int)}, with a client of its own. */
    public static void create(final String bootstrapServers, final ClusterId cluster, final int replication) {
        try (Admin admin = Clients.openAdmin(bootstrapServers, Map.of())) {
            create(admin, List.of(cluster), replication);
        }
    }

    private static void create(final Admin admin, final List<NewTopic> wanted) {
        admin.createTopics(wanted, new CreateTopicsOptions().timeoutMs(TIMEOUT_MS))
                .values()
                .forEach((name, created) -> {
                    try {
                        created.get();
                    } catch (final ExecutionException e) {
                        if (!(e.getCause() instanceof TopicExistsException)) {
                            throw new IllegalStateException(
                                    "topic '" + name + "' cannot be created: " + e.getMessage(), e);
                        }
                    } catch (final InterruptedException e) {
                        Thread.currentThread().interrupt();
                        throw new IllegalStateException("interrupted while creating topics", e);
                    }
                });
    }

    /** The names of the topics that this client may see. */
    static Set<String> existing(final Admin admin) {
        try {
            return admin.listTopics(new ListTopicsOptions().timeoutMs(TIMEOUT_MS))
                    .names()
                    .get();
        } catch (final ExecutionException e) {
            throw new IllegalStateException("the topics cannot be listed: " + e.getMessage(), e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while listing the topics", e);
        }
    }

    private static NewTopic topic(final String name, final int partitions, final int replication) {
        return Topic.find(name)
                .map(topic -> topic(name, topic, partitions, replication))
                .orElseGet(() -> deadLetters(name, replication));
    }

    private static NewTopic topic(final String name, final Topic topic, final int partitions, final int replication) {
        final Map<String, String> settings = new HashMap<>();
        settings.put("max.message.bytes", Integer.toString(EventCodec.MAX_RECORD_BYTES + 64 * 1024));
        final Duration retention = topic.retention();
        if (retention == null) {
            settings.put("cleanup.policy", "compact");
            settings.put("segment.bytes", Integer.toString(COMPACTED_SEGMENT_BYTES));
            settings.put("min.cleanable.dirty.ratio", "0.2");
            // A reader that was away for a day still sees every tombstone.
            settings.put("delete.retention.ms", Long.toString(Duration.ofDays(1).toMillis()));
            settings.put("segment.ms", Long.toString(Duration.ofHours(6).toMillis()));
        } else {
            settings.put("cleanup.policy", "delete");
            settings.put("segment.bytes", Integer.toString(SEGMENT_BYTES));
            settings.put("retention.ms", Long.toString(retention.toMillis()));
            // Records are removed with their segment, so a segment is not written for longer than its records are kept.
            settings.put("segment.ms", Long.toString(Math.min(retention.toMillis(), DEFAULT_SEGMENT.toMillis())));
        }
        if (topic.isPerCluster()) {
            settings.put("segment.index.bytes", Integer.toString(INDEX_BYTES));
        }
        return new NewTopic(name, partitionsOf(topic, partitions), (short) replication)
                .configs(durable(settings, replication));
    }

    private static NewTopic deadLetters(final String name, final int replication) {
        final Map<String, String> settings = new HashMap<>();
        settings.put("max.message.bytes", Integer.toString(EventCodec.MAX_RECORD_BYTES + 256 * 1024));
        settings.put("segment.bytes", Integer.toString(SEGMENT_BYTES));
        settings.put("cleanup.policy", "delete");
        settings.put("retention.ms", Long.toString(DEAD_LETTERS_KEPT.toMillis()));
        return new NewTopic(name, 1, (short) replication).configs(durable(settings, replication));
    }

    private static Map<String, String> durable(final Map<String, String> settings, final int replication) {
        // A compressed record could be within the limit of the topic and still be larger than the heap of its readers.
        settings.put("compression.type", "uncompressed");
        settings.put("min.insync.replicas", Integer.toString(Math.max(1, replication - 1)));
        return settings;
    }

    private static void check(final Admin admin, final Set<String> names, final int partitions) {
        final long until = System.nanoTime() + PROPAGATION.toNanos();
        while (true) {
            try {
                admin.describeTopics(names, new DescribeTopicsOptions().timeoutMs(TIMEOUT_MS))
                        .allTopicNames()
                        .get()
                        .values()
                        .forEach(topic -> check(topic, partitionsOf(Topic.named(topic.name()), partitions)));
                return;
            } catch (final ExecutionException e) {
                // A topic just created is not known to every broker at once.
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException) || System.nanoTime() > until) {
                    throw new IllegalStateException("the topics cannot be described: " + e.getMessage(), e);
                }
                Sleep.sleep(Duration.ofMillis(100));
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while looking at the topics", e);
            }
        }
    }

    private static void check(final TopicDescription found, final int wanted) {
        final int there = found.partitions().size();
        if (there == wanted) {
            return;
        }
        throw new IllegalStateException("topic '" + found.name() + "' has " + there + " partitions, "
                + (Topic.named(found.name()).isPerCluster()
                        ? "a topic of one cluster must have 1: delete the topic; the agent creates it again"
                        : "configured are " + wanted + ": set millrace.kafka.partitions to " + there
                                + " (the number cannot change while the topic has records)"));
    }

    private static int partitionsOf(final Topic topic, final int partitions) {
        return topic.spread() == Spread.BY_CLUSTER ? partitions : 1;
    }

    /** The number of partitions of a topic, asked from the broker where it can differ. */
    public static int partitions(final Producer<?, ?> producer, final Topic topic) {
        return topic.spread() == Spread.BY_CLUSTER
                ? producer.partitionsFor(topic.topicName()).size()
                : 1;
    }

    /**
     * The partition of a cluster: the same on every topic that is spread by cluster, and the one that Kafka's own partitioner takes for
     * a record with the cluster's name as its key.
     *
     * @param cluster null: partition 0
     * @param partitions of the topic
     */
    public static int partitionOf(final Topic topic, final @Nullable ClusterId cluster, final int partitions) {
        return topic.spread() == Spread.BY_CLUSTER && cluster != null ? shardOf(cluster, partitions) : 0;
    }

    /**
     * The shard of a deciding loop that decides for a cluster: its partition on every topic that is spread by cluster.
     *
     * @param partitions of these topics
     */
    public static int shardOf(final ClusterId cluster, final int partitions) {
        return Utils.toPositive(Utils.murmur2(Utils.utf8(cluster.value()))) % partitions;
    }
}
