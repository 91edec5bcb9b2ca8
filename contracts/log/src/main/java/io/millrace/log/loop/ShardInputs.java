package io.millrace.log.loop;

import io.millrace.model.protocol.Topic;
import io.millrace.model.view.CommandView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** The partitions that a shard reads: from where, up to where before it may decide, and which offsets it commits. */
final class ShardInputs {

    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final LoopSettings settings;
    private final int partition;
    private final Admin admin;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Set<TopicPartition> tracked = new HashSet<>();
    private final Map<TopicPartition, Long> committedHere;
    private Map<TopicPartition, Long> ends = Map.of();
    private Map<TopicPartition, Long> handled = Map.of();
    private boolean dormant;

    /** @param committedHere the offsets that earlier sessions of this shard have committed in this process */
    ShardInputs(
            final LoopSettings settings,
            final int partition,
            final Admin admin,
            final KafkaConsumer<byte[], byte[]> consumer,
            final Map<TopicPartition, Long> committedHere) {
        this.settings = settings;
        this.partition = partition;
        this.admin = admin;
        this.consumer = consumer;
        this.committedHere = Map.copyOf(committedHere);
    }

    /** Takes the end offsets and goes back to where the replay begins. */
    void rewind(final Instant now) {
        final Set<TopicPartition> own = new HashSet<>();
        settings.own().forEach(topic -> own.add(new TopicPartition(topic.topicName(), partition)));
        tracked.addAll(own);
        final Set<TopicPartition> all = new HashSet<>(own);
        for (final Topic topic : settings.context()) {
            for (final PartitionInfo info : partitions(topic)) {
                final TopicPartition whole = new TopicPartition(topic.topicName(), info.partition());
                all.add(whole);
                // Every shard reads the context; the first one commits its offsets.
                if (partition == 0) {
                    tracked.add(whole);
                }
            }
        }
        handled = committed();
        // Up to the last written record, not only the last committed one: another writer's open transaction must not
        // hide later
        // records of the predecessor.
        ends = offsets(all, tp -> OffsetSpec.latest());
        dormant = partition != 0
                && !settings.context().isEmpty()
                && own.stream().allMatch(tp -> ends.getOrDefault(tp, 0L) == 0);
        if (dormant) {
            all.retainAll(own);
            ends.keySet().retainAll(own);
        }
        consumer.assign(all);
        final long horizon = now.minus(CommandView.RETENTION).toEpochMilli();
        final Map<TopicPartition, Long> recent = offsets(
                all.stream()
                        .filter(tp -> replay(tp) == ReplayStart.FROM_AN_HOUR_AGO)
                        .toList(),
                tp -> OffsetSpec.forTimestamp(horizon));
        final List<TopicPartition> beginning = new ArrayList<>();
        for (final TopicPartition tp : all) {
            final Duration lookBack = settings.lookBack().get(Topic.named(tp.topic()));
            if (lookBack != null) {
                lookBack(tp, now.minus(lookBack), beginning);
                continue;
            }
            switch (replay(tp)) {
                case FROM_BEGINNING -> beginning.add(tp);
                case FROM_AN_HOUR_AGO -> {
                    final long from = recent.getOrDefault(tp, -1L);
                    consumer.seek(tp, from < 0 ? ends.getOrDefault(tp, 0L) : from);
                }
                case FROM_COMMITTED -> {
                    final Long from = handled.get(tp);
                    if (from == null) {
                        beginning.add(tp);
                    } else {
                        consumer.seek(tp, from);
                    }
                }
            }
        }
        // Not seekToBeginning: the consumer would ask for these offsets behind a fetch of the other partitions, which
        // may wait long.
        offsets(beginning, tp -> OffsetSpec.earliest()).forEach(consumer::seek);
    }

    /** To the first record since then; to the end if there is none, to the beginning if the topic is younger. */
    private void lookBack(final TopicPartition tp, final Instant since, final List<TopicPartition> beginning) {
        final long from = offsets(List.of(tp), t -> OffsetSpec.forTimestamp(since.toEpochMilli()))
                .getOrDefault(tp, -1L);
        if (from < 0) {
            consumer.seek(tp, ends.getOrDefault(tp, 0L));
        } else if (from == 0) {
            beginning.add(tp);
        } else {
            consumer.seek(tp, from);
        }
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
    private Map<TopicPartition, Long> committed() {
        final Map<TopicPartition, Long> offsets = new HashMap<>(committedHere);
        final String group = settings.service();
        final ListConsumerGroupOffsetsSpec wanted = new ListConsumerGroupOffsetsSpec().topicPartitions(tracked);
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

    /** Whether all records that were on the log when the session opened have been read. */
    boolean isReplayed() {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    /** Whether this shard commits the offset of the record and no commit has covered it yet. */
    boolean isNew(final ConsumerRecord<byte[], byte[]> record) {
        final TopicPartition tp = new TopicPartition(record.topic(), record.partition());
        return tracked.contains(tp) && record.offset() >= handled.getOrDefault(tp, 0L);
    }

    /** The offsets from which the next session continues, to be committed with the decisions. All other partitions are replayed. */
    Map<TopicPartition, OffsetAndMetadata> handledOffsets() {
        return offsets(this::continuesFromCommitted);
    }

    /** The offsets of everything this shard has read, to be committed with dead letters, so that each record becomes one once. */
    Map<TopicPartition, OffsetAndMetadata> readOffsets() {
        return offsets(tp -> true);
    }

    private Map<TopicPartition, OffsetAndMetadata> offsets(final Predicate<TopicPartition> which) {
        return tracked.stream()
                .filter(which)
                .collect(Collectors.toMap(tp -> tp, tp -> new OffsetAndMetadata(consumer.position(tp))));
    }

    private boolean continuesFromCommitted(final TopicPartition tp) {
        return replay(tp) == ReplayStart.FROM_COMMITTED && !settings.lookBack().containsKey(Topic.named(tp.topic()));
    }

    /** The position that shows the progress of this shard; nothing is lost if it is old. Empty if every partition continues from its offset. */
    Optional<Map.Entry<TopicPartition, Long>> shownPosition() {
        return tracked.stream()
                .filter(tp -> tp.partition() == partition && !continuesFromCommitted(tp))
                .min(Comparator.comparing(TopicPartition::topic))
                .map(tp -> Map.entry(tp, consumer.position(tp)));
    }

    long lag() {
        return tracked.stream()
                .mapToLong(tp -> consumer.currentLag(tp).orElse(0))
                .sum();
    }
}
