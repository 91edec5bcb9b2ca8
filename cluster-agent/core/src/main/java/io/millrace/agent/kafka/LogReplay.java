package io.millrace.agent.kafka;

import io.millrace.agent.AgentLog.Incoming;
import io.millrace.agent.AgentLog.ReplayedState;
import io.millrace.agent.domain.AnsweredCommands;
import io.millrace.decide.ClusterView;
import io.millrace.log.EventCodec;
import io.millrace.log.LogRecord;
import io.millrace.log.Topics;
import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Outcome;
import io.millrace.model.protocol.Topic;
import java.time.Duration;
import java.time.Instant;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Replays the state of the cluster from the beginning, and commands and outcomes of the last day. */
final class LogReplay {

    private static final Logger LOG = LoggerFactory.getLogger(LogReplay.class);

    /** Longer than commands take, except copies, which may be repeated. */
    private static final Duration HORIZON = Duration.ofHours(24);

    private final ClusterId cluster;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final ClusterView view;
    private final Map<CommandId, Instant> begun = new HashMap<>();
    private final AnsweredCommands answered = new AnsweredCommands();
    private final Admin admin;
    private final Map<JobKey, Instant> publishedEnds = new HashMap<>();
    private Map<TopicPartition, Long> ends = Map.of();
    private long handledBefore;

    LogReplay(final ClusterId cluster, final Admin admin, final KafkaConsumer<byte[], byte[]> consumer) {
        this.admin = admin;
        this.cluster = cluster;
        this.consumer = consumer;
        this.view = new ClusterView(cluster);
    }

    void rewind(final Instant now) {
        final TopicPartition state = partition(Topic.CLUSTER_STATE);
        final TopicPartition commands = partition(Topic.COMMANDS);
        final TopicPartition outcomes = partition(Topic.OUTCOMES);
        final TopicPartition plans = partition(Topic.PLANS);
        final TopicPartition availability = partition(Topic.AVAILABILITY);
        consumer.assign(List.of(state, commands, outcomes, plans, availability));
        ends = written(List.of(state, commands, outcomes, availability));
        final OffsetAndMetadata read = consumer.committed(Set.of(commands)).get(commands);
        handledBefore = read == null ? 0 : read.offset();
        consumer.seekToBeginning(List.of(state, availability));
        // Old plans do not show that the deciders are active now.
        consumer.seekToEnd(List.of(plans));
        final long horizon = now.minus(HORIZON).toEpochMilli();
        final Map<TopicPartition, OffsetAndTimestamp> recent =
                consumer.offsetsForTimes(Map.of(commands, horizon, outcomes, horizon));
        for (final TopicPartition tp : List.of(commands, outcomes)) {
            final OffsetAndTimestamp from = recent.get(tp);
            consumer.seek(tp, from == null ? ends.getOrDefault(tp, 0L) : from.offset());
        }
    }

    /** Longer than the delay of accounting. */
    private static final Duration ENDS_HORIZON = Duration.ofHours(2);

    /** After the replay of the cluster state: continues with the ends published since the last observation and shortly before. */
    void rewindEnds() {
        final Instant last = lastObservedAt();
        if (last == null) {
            return;
        }
        final TopicPartition tp = partition(Topic.JOB_ENDS);
        final Set<TopicPartition> all = new HashSet<>(consumer.assignment());
        all.add(tp);
        consumer.assign(all);
        ends = written(List.of(tp));
        final OffsetAndTimestamp from = consumer.offsetsForTimes(
                        Map.of(tp, last.minus(ENDS_HORIZON).toEpochMilli()))
                .get(tp);
        consumer.seek(tp, from == null ? ends.getOrDefault(tp, 0L) : from.offset());
    }

    /** When the cluster was observed last; null: never. */
    private @Nullable Instant lastObservedAt() {
        final RevisionClosed marker = view.marker();
        if (marker == null) {
            return null;
        }
        return marker.health() instanceof WlmHealth.Stale stale ? stale.lastAnsweredAt() : marker.observedAt();
    }

    /** End offsets including open transactions: an open transaction of another producer must not hide later records of this agent. */
    private Map<TopicPartition, Long> written(final List<TopicPartition> partitions) {
        final Map<TopicPartition, OffsetSpec> latest =
                partitions.stream().collect(Collectors.toMap(Function.identity(), tp -> OffsetSpec.latest()));
        try {
            final Map<TopicPartition, Long> offsets = new HashMap<>();
            admin.listOffsets(latest, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                    .all()
                    .get(15, TimeUnit.SECONDS)
                    .forEach((tp, found) -> offsets.put(tp, found.offset()));
            return offsets;
        } catch (final ExecutionException | TimeoutException e) {
            throw new KafkaException("cannot read the end offsets of " + partitions + ": " + e.getMessage(), e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted while asking for offsets", e);
        }
    }

    TopicPartition commands() {
        return partition(Topic.COMMANDS);
    }

    private TopicPartition partition(final Topic topic) {
        final String name = topic.topicName(cluster);
        final List<PartitionInfo> all = consumer.partitionsFor(name);
        if (all == null || all.isEmpty()) {
            throw new KafkaException(
                    "topic '" + name + "' not found; the services of Millrace create it when they start");
        }
        return new TopicPartition(name, Topics.partitionOf(topic, cluster, all.size()));
    }

    /** Whether all records that existed at the start of the replay have been read. */
    boolean isOver() {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    /** The topics that the agent goes on reading, and the offsets at which it continues. */
    Map<TopicPartition, Long> continuation() {
        return Stream.of(Topic.COMMANDS, Topic.PLANS, Topic.AVAILABILITY)
                .map(this::partition)
                .collect(Collectors.toMap(Function.identity(), consumer::position));
    }

    /** Applies a record. Commands, which may still have to be executed, and the availability of the cluster are returned. */
    Optional<Incoming> apply(final ConsumerRecord<byte[], byte[]> record, final CommandReader reader) {
        final Topic topic = Topic.named(record.topic());
        if (topic == Topic.COMMANDS) {
            return Optional.of(reader.command(record, record.offset() >= handledBefore));
        }
        if (topic == Topic.PLANS || topic == Topic.AVAILABILITY) {
            return reader.read(record);
        }
        remember(record);
        return Optional.empty();
    }

    private void remember(final ConsumerRecord<byte[], byte[]> record) {
        try {
            final Optional<LogRecord> read = EventCodec.read(record);
            if (read.isEmpty()) {
                return;
            }
            if (read.get().isTombstone()) {
                view.remove(read.get().key());
            } else if (read.get().event() instanceof ClusterStateEvent event) {
                view.apply(event);
            } else if (read.get().event() instanceof Outcome outcome) {
                if (outcome.isAnswer()) {
                    answered.add(outcome.command(), outcome.answeredAt());
                    begun.remove(outcome.command());
                } else {
                    begun.put(outcome.command(), outcome.answeredAt());
                }
            } else if (read.get().event() instanceof RunEnded end) {
                publishedEnds.put(end.job(), end.endedAt());
            }
        } catch (final RuntimeException e) {
            // Only this agent writes to these topics, and it observes what it cannot read again.
            LOG.warn("cannot replay {}-{}@{}: {}", record.topic(), record.partition(), record.offset(), e.getMessage());
        }
    }

    ReplayedState memory() {
        view.takeGone();
        return new ReplayedState(view, begun, answered, publishedEnds, lastObservedAt());
    }
}
