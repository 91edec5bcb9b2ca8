package io.millrace.log.loop;

import io.millrace.decide.CommandView;
import io.millrace.log.ClusterTopics;
import io.millrace.log.Topics;
import io.millrace.model.ClusterId;
import io.millrace.model.protocol.Topic;
import io.millrace.model.protocol.Topic.Spread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The partitions that a shard reads: from where, up to where before it may decide, and which offsets it commits. */
final class ShardInputs implements AutoCloseable {

    private static final Set<Topic> DEFERRED = EnumSet.of(Topic.SUBMISSIONS, Topic.REQUESTS);
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final LoopSettings settings;
    private final int partition;
    private final ClusterTopics clusters;
    private final Admin admin;
    private final Supplier<KafkaConsumer<byte[], byte[]>> consumers;
    private final Set<TopicPartition> tracked = new HashSet<>();
    private final Map<TopicPartition, Long> committedHere;
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final Map<TopicPartition, Long> handled = new HashMap<>();
    private volatile KafkaConsumer<byte[], byte[]> consumer;
    private Set<ClusterId> seen = Set.of();
    private boolean dormant;

    /**
     * @param consumers opens a consumer
     * @param committedHere the offsets that earlier sessions of this shard have committed in this process
     */
    ShardInputs(
            final LoopSettings settings,
            final int partition,
            final ClusterTopics clusters,
            final Admin admin,
            final Supplier<KafkaConsumer<byte[], byte[]>> consumers,
            final Map<TopicPartition, Long> committedHere) {
        this.settings = settings;
        this.partition = partition;
        this.clusters = clusters;
        this.admin = admin;
        this.consumers = consumers;
        this.consumer = consumers.get();
        this.committedHere = Map.copyOf(committedHere);
    }

    ConsumerRecords<byte[], byte[]> poll(final Duration timeout) {
        return consumer.poll(timeout);
    }

    void wakeup() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        consumer.close();
    }

    /** Takes the end offsets and goes back to where the replay begins. */
    void rewind(final Instant now) {
        seen = clusters.read();
        final Set<TopicPartition> own = own();
        final Set<TopicPartition> all = context();
        all.addAll(own);
        ends.clear();
        ends.putAll(written(all));
        dormant = partition != 0
                && !settings.context().isEmpty()
                && own.stream().allMatch(tp -> ends.getOrDefault(tp, 0L) == 0);
        if (dormant) {
            all.retainAll(own);
            ends.keySet().retainAll(own);
        }
        tracked.clear();
        handled.clear();
        consumer.assign(all);
        begin(all, own, now);
    }

    /** Whether clusters have appeared or gone since the last call of {@link #rewind} or {@link #extend}. */
    boolean hasNewClusters() {
        return clusters.known() != seen;
    }

    /**
     * Adds the topics of clusters that have appeared. Those of clusters that have gone stay until the next session.
     *
     * @return whether there is something to replay before the next decision
     */
    boolean extend(final Instant now) {
        seen = clusters.known();
        final Set<TopicPartition> own = own();
        final Set<TopicPartition> added = dormant ? new HashSet<>() : context();
        added.addAll(own);
        added.removeAll(consumer.assignment());
        if (added.isEmpty()) {
            return false;
        }
        ends.putAll(written(added));
        reopen(added);
        begin(added, own, now);
        return true;
    }

    /** A new consumer fetches at once. The old one would ask for the added topics only after its last fetch, which may wait long. */
    private void reopen(final Set<TopicPartition> added) {
        final KafkaConsumer<byte[], byte[]> next = consumers.get();
        try (KafkaConsumer<byte[], byte[]> last = consumer) {
            final Set<TopicPartition> all = new HashSet<>(last.assignment());
            all.addAll(added);
            next.assign(all);
            last.assignment().forEach(tp -> next.seek(tp, last.position(tp)));
            consumer = next;
        }
    }

    private Set<TopicPartition> own() {
        final int shards = settings.groupTopic().spread() == Spread.ONE
                ? 1
                : partitions(settings.groupTopic()).size();
        final Set<TopicPartition> own = new HashSet<>();
        for (final Topic topic : settings.own()) {
            if (topic.isPerCluster()) {
                seen.stream()
                        .filter(cluster -> Topics.shardOf(cluster, shards) == partition)
                        .forEach(cluster -> own.add(new TopicPartition(topic.topicName(cluster), 0)));
            } else {
                own.add(new TopicPartition(topic.topicName(), partition));
            }
        }
        return own;
    }

    private Set<TopicPartition> context() {
        final Set<TopicPartition> context = new HashSet<>();
        for (final Topic topic : settings.context()) {
            if (topic.isPerCluster()) {
                seen.forEach(cluster -> context.add(new TopicPartition(topic.topicName(cluster), 0)));
            } else {
                partitions(topic).forEach(info -> context.add(new TopicPartition(info.topic(), info.partition())));
            }
        }
        return context;
    }

    /**
     * Up to the last written record, not only the last committed one: another writer's open transaction must not hide later records of the
     * predecessor.
     */
    private Map<TopicPartition, Long> written(final Set<TopicPartition> of) {
        return offsets(of, tp -> OffsetSpec.latest());
    }

    /** Goes to where the replay of these partitions begins. Every shard reads the context; the first one commits its offsets. */
    private void begin(final Set<TopicPartition> all, final Set<TopicPartition> own, final Instant now) {
        final Set<TopicPartition> committing =
                all.stream().filter(tp -> partition == 0 || own.contains(tp)).collect(Collectors.toSet());
        tracked.addAll(committing);
        handled.putAll(committed(committing));
        final Map<TopicPartition, Instant> since = new HashMap<>();
        all.forEach(tp -> since(tp, now).ifPresent(at -> since.put(tp, at)));
        final Map<TopicPartition, Long> recent = offsets(
                since.keySet(),
                tp -> OffsetSpec.forTimestamp(since.getOrDefault(tp, now).toEpochMilli()));
        final List<TopicPartition> beginning = new ArrayList<>();
        for (final TopicPartition tp : all) {
            final Long from = since.containsKey(tp) ? recent.get(tp) : handledOf(tp);
            if (from == null) {
                beginning.add(tp);
            } else {
                consumer.seek(tp, from < 0 ? ends.getOrDefault(tp, 0L) : from);
            }
        }
        // Not seekToBeginning: the consumer would ask for these offsets behind a fetch of the other partitions, which
        // may wait long.
        offsets(beginning, tp -> OffsetSpec.earliest()).forEach(consumer::seek);
        defer(all);
    }

    /** From when on a partition is replayed, if time decides. */
    private Optional<Instant> since(final TopicPartition tp, final Instant now) {
        final Duration lookBack = settings.lookBack().get(Topic.named(tp.topic()));
        if (lookBack != null) {
            return Optional.of(now.minus(lookBack));
        }
        return replay(tp) == ReplayStart.FROM_AN_HOUR_AGO
                ? Optional.of(now.minus(CommandView.RETENTION))
                : Optional.empty();
    }

    /** Null: from the beginning. */
    private @Nullable Long handledOf(final TopicPartition tp) {
        return replay(tp) == ReplayStart.FROM_COMMITTED ? handled.get(tp) : null;
    }

    private List<PartitionInfo> partitions(final Topic topic) {
        final List<PartitionInfo> found = consumer.partitionsFor(topic.topicName(), TIMEOUT);
        if (found == null || found.isEmpty()) {
            throw new IllegalStateException(
                    "topic '" + topic.topicName() + "' is not there; it is created at start (Topics.create)");
        }
        return found;
    }

    private static ReplayStart replay(final TopicPartition tp) {
        return ReplayStart.of(Topic.named(tp.topic()));
    }

    /**
     * The offsets up to which records were handled. The session has called {@code initTransactions} before, which returns after the last
     * transaction of this transactional id is committed or aborted in all its partitions, including the offsets; no other id commits
     * these offsets. So none can be pending, and the group's coordinator is asked without {@code requireStable}: after a crash it can
     * keep the offsets of a finished transaction as pending and would refuse to answer until it is restarted.
     *
     * <p>Offsets never go back. If the coordinator returns an older one than this shard has committed, the shard's own is right.
     */
    private Map<TopicPartition, Long> committed(final Set<TopicPartition> of) {
        final Map<TopicPartition, Long> offsets = new HashMap<>(committedHere);
        offsets.keySet().retainAll(of);
        if (of.isEmpty()) {
            return offsets;
        }
        final String group = settings.service();
        final ListConsumerGroupOffsetsSpec wanted = new ListConsumerGroupOffsetsSpec().topicPartitions(of);
        answer(
                        "offsets of group " + group,
                        admin.listConsumerGroupOffsets(
                                        Map.of(group, wanted),
                                        new ListConsumerGroupOffsetsOptions().requireStable(false))
                                .partitionsToOffsetAndMetadata(group))
                .forEach((tp, offset) -> {
                    if (offset != null) {
                        offsets.merge(tp, offset.offset(), Math::max);
                    }
                });
        return offsets;
    }

    private Map<TopicPartition, Long> offsets(
            final Collection<TopicPartition> of, final Function<TopicPartition, OffsetSpec> which) {
        if (of.isEmpty()) {
            return Map.of();
        }
        final Map<TopicPartition, OffsetSpec> wanted = of.stream().collect(Collectors.toMap(tp -> tp, which));
        return answer(
                        "offsets of " + of,
                        admin.listOffsets(wanted, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                                .all())
                .entrySet()
                .stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().offset()));
    }

    private static <T> T answer(final String what, final KafkaFuture<T> future) {
        try {
            return future.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted while asking for " + what, e);
        } catch (final ExecutionException | TimeoutException e) {
            throw new KafkaException(what + " cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Whether nothing was on the partition of this shard, because it has no cluster yet. There is nothing to decide, so the context is not
     * read. Records without a cluster are on partition 0, whose shard is never dormant.
     */
    boolean isDormant() {
        return dormant;
    }

    /**
     * What was requested is read after the state, and decided on piece by piece, as if it had arrived just now: the decision on all requests of a
     * long interruption could take longer than a transaction may.
     */
    private void defer(final Set<TopicPartition> all) {
        final Set<TopicPartition> requests = all.stream()
                .filter(tp -> DEFERRED.contains(Topic.named(tp.topic())) && continuesFromCommitted(tp))
                .collect(Collectors.toSet());
        consumer.pause(requests);
        ends.keySet().removeAll(requests);
    }

    /** Begins to read what was deferred. */
    void resume() {
        consumer.resume(consumer.paused());
    }

    /** Whether all records that were on the log when the session opened have been read, except those that are deferred. */
    boolean isReplayed() {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    /** The next offset of each input. */
    Map<TopicPartition, Long> positions() {
        return consumer.assignment().stream().collect(Collectors.toMap(tp -> tp, consumer::position));
    }

    /** Whether the only partition of this Kafka topic is one of the inputs. */
    boolean reads(final String topicName) {
        return consumer.assignment().contains(new TopicPartition(topicName, 0));
    }

    /** Whether this shard commits the offset of the record and no commit has covered it yet. */
    boolean isNew(final ConsumerRecord<byte[], byte[]> record) {
        final TopicPartition tp = new TopicPartition(record.topic(), record.partition());
        return tracked.contains(tp) && record.offset() >= handled.getOrDefault(tp, 0L);
    }

    /** The offsets from which the next session continues, to be committed with the decisions. All other partitions are replayed. */
    Map<TopicPartition, OffsetAndMetadata> handledOffsets() {
        return tracked.stream()
                .filter(this::continuesFromCommitted)
                .collect(Collectors.toMap(tp -> tp, tp -> new OffsetAndMetadata(consumer.position(tp))));
    }

    /** Of all partitions that this shard commits, to be committed with dead letters, so that each record becomes one once. Never before a committed one. */
    Map<TopicPartition, OffsetAndMetadata> settledOffsets(final Map<TopicPartition, Long> settled) {
        return tracked.stream()
                .collect(Collectors.toMap(
                        tp -> tp,
                        tp -> new OffsetAndMetadata(
                                Math.max(settled.getOrDefault(tp, 0L), handled.getOrDefault(tp, 0L)))));
    }

    private boolean continuesFromCommitted(final TopicPartition tp) {
        return replay(tp) == ReplayStart.FROM_COMMITTED && !settings.lookBack().containsKey(Topic.named(tp.topic()));
    }

    /** The position that shows the progress of this shard; nothing is lost if it is old. Empty if every partition continues from its offset. */
    Optional<Map.Entry<TopicPartition, Long>> shownPosition() {
        return tracked.stream()
                .filter(tp -> tp.partition() == partition
                        && !Topic.named(tp.topic()).isPerCluster()
                        && !continuesFromCommitted(tp))
                .min(Comparator.comparing(TopicPartition::topic))
                .map(tp -> Map.entry(tp, consumer.position(tp)));
    }

    long lag() {
        return tracked.stream()
                .mapToLong(tp -> consumer.currentLag(tp).orElse(0))
                .sum();
    }
}
