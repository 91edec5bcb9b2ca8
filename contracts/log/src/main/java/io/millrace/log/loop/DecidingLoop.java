package io.millrace.log.loop;

import io.millrace.log.Clients;
import io.millrace.log.ClusterTopics;
import io.millrace.log.Topics;
import io.millrace.log.access.Part.LogReader;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads, decides and writes, for the partitions that the group assigns to this instance.
 *
 * <pre>
 *   membership (one thread): which partitions are ours, in which generation
 *   shard (one thread per partition): open -> replay -> [ read -> apply -> decide -> commit ]*
 *                                       ^                                     |
 *                                       +--- after any failure, by replay ----+
 * </pre>
 *
 * <p>The decisions commit in one transaction with the offsets of the records that are read once per commit. The transactional id, which the
 * successor takes over, keeps a fenced instance from writing; the broker also checks such offsets against the group's generation.
 */
public final class DecidingLoop implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DecidingLoop.class);

    /** How long a stopping shard may finish its work. After that the broker refuses its commits. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final LoopSettings settings;
    private final DeciderFactory deciders;
    private final Clock clock;
    private final LoopCounters counters = new LoopCounters();
    private final Map<Integer, Shard> shards = new TreeMap<>();
    private volatile @Nullable Admin admin;
    private volatile @Nullable BrokerMonitor broker;
    private volatile @Nullable GroupMembership membership;

    public DecidingLoop(final LoopSettings settings, final DeciderFactory deciders, final Clock clock) {
        this.settings = settings;
        this.deciders = deciders;
        this.clock = clock;
    }

    /** The part that decides. */
    public LogReader part() {
        return settings.part();
    }

    /** As {@link #start(String)}, without a name. */
    public void start() {
        start(null);
    }

    /**
     * Joins the group; returns at once. The topics must be there ({@link Topics#create}).
     *
     * @param instance name of this instance, unique in the group and the same after a restart: a new instance of this name takes over at once, also
     *     if the last one was killed. Null: the partitions of a killed instance move after its session has expired
     */
    public synchronized void start(final @Nullable String instance) {
        if (membership != null) {
            throw new IllegalStateException(settings.service() + ": the loop is started already");
        }
        final Admin asking = Clients.openAdmin(settings.bootstrapServers(), settings.client());
        final BrokerMonitor watch = new BrokerMonitor(asking, settings);
        final ClusterTopics clusters = new ClusterTopics(asking, settings.inputs(), this::clustersChanged);
        final GroupMembership group = new GroupMembership(
                settings, instance, watch, clusters, asking, this::assigned, this::revoked, this::progress);
        admin = asking;
        broker = watch;
        membership = group;
        group.start();
    }

    private void assigned(final GroupMembership group, final Collection<Integer> partitions) {
        synchronized (shards) {
            for (final int partition : partitions) {
                final Shard shard = new Shard(settings, partition, deciders, clock, group, counters);
                shards.put(partition, shard);
                shard.start();
            }
        }
        if (!partitions.isEmpty()) {
            LOG.info("{} decides for partitions {}", settings.service(), partitions);
        }
    }

    private void clustersChanged() {
        synchronized (shards) {
            shards.values().forEach(Shard::clustersChanged);
        }
    }

    private void revoked(final Collection<Integer> partitions) {
        final List<Shard> leaving = new ArrayList<>();
        synchronized (shards) {
            for (final int partition : partitions) {
                final Shard shard = shards.remove(partition);
                if (shard != null) {
                    leaving.add(shard);
                }
            }
        }
        stop(leaving);
        if (!leaving.isEmpty()) {
            LOG.info("{} no longer decides for partitions {}", settings.service(), partitions);
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> progress() {
        final Map<TopicPartition, OffsetAndMetadata> all = new HashMap<>();
        synchronized (shards) {
            shards.values().forEach(shard -> all.putAll(shard.progress()));
        }
        return all;
    }

    private static void stop(final List<Shard> leaving) {
        leaving.forEach(Shard::stop);
        final long until = System.nanoTime() + PATIENCE.toNanos();
        leaving.forEach(shard -> shard.await(Duration.ofNanos(until - System.nanoTime())));
    }

    /** The state of the loop; never blocks on the broker. */
    public LoopHealth health() {
        final BrokerMonitor watch = broker;
        final GroupMembership group = membership;
        final List<Shard> current;
        final TreeSet<Integer> assigned;
        synchronized (shards) {
            current = List.copyOf(shards.values());
            assigned = new TreeSet<>(shards.keySet());
        }
        final boolean joined = group != null && group.isJoined();
        return counters.health(
                watch != null && watch.answers(),
                joined && current.stream().allMatch(Shard::isCaughtUp),
                assigned,
                current.stream().mapToLong(Shard::lag).sum(),
                Stream.concat(
                                Stream.ofNullable(group == null ? null : group.trouble()),
                                current.stream().map(Shard::failure))
                        .filter(t -> t != null)
                        .findFirst()
                        .orElse(null));
    }

    /** Leaves the group after the current decisions are committed or dropped; takes at most about 30 s. */
    @Override
    public synchronized void close() {
        final BrokerMonitor watch = broker;
        final GroupMembership group = membership;
        final Admin asking = admin;
        if (watch == null || group == null || asking == null) {
            return;
        }
        watch.close();
        group.close();
        final List<Shard> rest;
        synchronized (shards) {
            rest = List.copyOf(shards.values());
            shards.clear();
        }
        stop(rest);
        asking.close(Duration.ofSeconds(2));
    }
}
