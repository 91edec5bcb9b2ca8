package io.millrace.log.loop;

import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.UnreadableMessageException;
import io.millrace.log.loop.SetAsideRecords.Place;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.protocol.Topic;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One session of a shard, from replay to its end. Only the getters and {@link #wakeup} may be called by other threads. */
final class ShardSession implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ShardSession.class);
    /** Of one response. All shards of an instance replay the log at the same time, in a small heap. */
    private static final int FETCH_BYTES = 256 * 1024;
    /** That many records at the broker, and not only the markers of some transactions, are read at once. */
    private static final long BACKLOG = 10;
    /** Enough for the two fetches before a decision: one that was answered with the first record, and one for those after it. */
    private static final Duration LAST_FETCHES = Duration.ofMillis(15);

    private final LoopSettings settings;
    private final String name;
    private final Clock clock;
    private final LoopCounters counters;
    private final Shard shard;
    private final Decider decider;
    private final DecisionTimer timer;
    private final DecisionWriter writer;
    private final ShardInputs inputs;
    /** Of each input, the offset after the last record that took effect. */
    private final Map<TopicPartition, Long> effective = new HashMap<>();
    /** Of each input, the offset after the last record that was set aside. */
    private final Map<TopicPartition, Long> setAside = new HashMap<>();

    private volatile Map<TopicPartition, OffsetAndMetadata> progress = Map.of();
    private volatile boolean caughtUp;
    private volatile boolean waiting;
    private volatile long lag;

    ShardSession(
            final LoopSettings settings,
            final int partition,
            final Clock clock,
            final GroupMembership membership,
            final LoopCounters counters,
            final Shard shard) {
        this.settings = settings;
        this.name = settings.service() + "-" + partition;
        this.clock = clock;
        this.counters = counters;
        this.shard = shard;
        this.decider = shard.openDecider();
        this.timer = new DecisionTimer(decider, System::nanoTime);
        this.writer = new DecisionWriter(settings, partition, membership);
        this.inputs = shard.inputs();
    }

    static KafkaConsumer<byte[], byte[]> openConsumer(final LoopSettings settings) {
        final Map<String, Object> properties =
                Clients.consumer(settings.bootstrapServers(), settings.service(), Map.of());
        properties.put("fetch.max.bytes", FETCH_BYTES);
        properties.putAll(settings.client());
        return Clients.openTail(properties);
    }

    void run() {
        writer.open();
        inputs.rewind(clock.instant());
        while (!shard.isStopping() && !decider.isOutdated()) {
            if (!caughtUp && inputs.isReplayed()) {
                caughtUp = true;
                inputs.resume();
                timer.due(Duration.ZERO);
                LOG.info("{} has replayed the log and is active", name);
            }
            collect();
            final ConsumerRecords<byte[], byte[]> polled = poll();
            if (inputs.isDormant() && !polled.isEmpty()) {
                caughtUp = false;
                inputs.rewind(clock.instant());
                continue;
            }
            for (final TopicPartition tp : polled.partitions()) {
                (caughtUp ? polled.records(tp) : latest(polled.records(tp))).forEach(this::read);
            }
            lag = inputs.lag();
            if (inputs.hasNewClusters() && inputs.extend(clock.instant())) {
                caughtUp = false;
            }
            if (caughtUp && !shard.isStopping()) {
                act(clock.instant());
            }
        }
    }

    /** Another thread ends the wait because a cluster has appeared, or because the shard stops. */
    private ConsumerRecords<byte[], byte[]> poll() {
        waiting = true;
        try {
            return inputs.poll(pollTimeout());
        } catch (final WakeupException e) {
            if (shard.isStopping()) {
                throw e;
            }
            return ConsumerRecords.empty();
        } finally {
            waiting = false;
        }
    }

    /** Of a compacted topic, as compaction would: without records that a later one with the same key replaces, if that one can be read. */
    private static Collection<ConsumerRecord<byte[], byte[]>> latest(
            final List<ConsumerRecord<byte[], byte[]>> records) {
        if (!Topic.named(records.getFirst().topic()).isCompacted()) {
            return records;
        }
        final Set<ByteBuffer> replaced = new HashSet<>();
        final Deque<ConsumerRecord<byte[], byte[]>> latest = new ArrayDeque<>();
        for (final ConsumerRecord<byte[], byte[]> record : records.reversed()) {
            final ByteBuffer key = ByteBuffer.wrap(record.key());
            if (!replaced.contains(key)) {
                latest.addFirst(record);
                if (isReadable(record)) {
                    replaced.add(key);
                }
            }
        }
        return latest;
    }

    private static boolean isReadable(final ConsumerRecord<byte[], byte[]> record) {
        try {
            return EventCodec.read(record).isPresent();
        } catch (final RuntimeException | StackOverflowError e) {
            return false;
        }
    }

    /**
     * Leaves new records at the broker until shortly before the decision that will cover them: otherwise each would take a separate fetch. A
     * backlog is read at once: a fetch contains only one or two large records.
     */
    private void collect() {
        if (caughtUp && lag < BACKLOG && timer.isDue()) {
            Sleep.sleep(timer.timeout(clock.instant()).minus(LAST_FETCHES));
        }
    }

    /** No decision is due during the replay, and none without a cluster. */
    private Duration pollTimeout() {
        return caughtUp && !inputs.isDormant() ? timer.timeout(clock.instant()) : DecisionTimer.MAX_WAIT;
    }

    private void read(final ConsumerRecord<byte[], byte[]> record) {
        final String skip = shard.poison().skipReason(record);
        if (skip != null) {
            setAside(record, skip, null);
            return;
        }
        try {
            final Optional<LogRecord> read = EventCodec.read(record);
            if (read.isEmpty()) {
                counters.unknownTypes.increment();
                return;
            }
            decider.apply(read.get());
            if (triggersDecision(read.get())) {
                effective.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
                timer.due(settings.debounce());
            }
        } catch (final UnreadableMessageException e) {
            setAside(record, e.reason(), null);
        } catch (final RuntimeException | StackOverflowError e) {
            setAside(record, settings.service() + " cannot process it: " + e, e);
        }
    }

    /** Observations take effect with the marker that closes their batch; no decision is based on part of a batch. */
    private static boolean triggersDecision(final LogRecord read) {
        if (read.topic() != Topic.CLUSTER_STATE) {
            return true;
        }
        return !(read.isTombstone()
                || read.event() instanceof JobObserved
                || read.event() instanceof NodeObserved
                || read.event() instanceof PartitionObserved);
    }

    /** Names a record that is not processed, and writes it to the dead letters once: not if a commit has covered it, or another shard does. */
    private void setAside(
            final ConsumerRecord<byte[], byte[]> record, final String reason, final @Nullable Throwable cause) {
        final Place place = Place.of(record);
        setAside.put(place.partition(), place.offset() + 1);
        if (counters.setAside.add(place)) {
            LOG.warn("{}: {} is set aside: {}", name, place, reason, cause);
        }
        if (inputs.isNew(record)) {
            counters.deadLetters.increment();
            writer.deadLetter(record, reason);
        }
    }

    private void act(final Instant now) {
        if (inputs.isDormant()) {
            timer.decided(now);
        } else if (timer.isTime(now)) {
            final long began = System.nanoTime();
            timer.decided(now);
            final List<OutgoingEvent> outgoing = addressable(decide(now));
            if (shard.isStopping()) {
                return;
            }
            if (!outgoing.isEmpty()) {
                write(outgoing, now);
                counters.decided(now);
            }
            shard.poison().decided(inEffect());
            timer.pauseAfter(Duration.ofNanos(System.nanoTime() - began));
        }
        // No offsets while a decision is due: after a crash, a submission that was applied and not decided on would be
        // lost.
        if (!timer.isDue()) {
            if (writer.hasDeadLetters() || writer.isTimeFor(inputs::handledOffsets)) {
                commit(List.of(), now);
            }
            shard.healthy();
            progress = inputs.shownPosition()
                    .map(shown -> Map.of(shown.getKey(), LoopProgress.mark(shown.getValue(), now)))
                    .orElse(Map.of());
        }
    }

    /** Up to where the log has taken effect: observations after the last marker of their cluster have not. */
    private Map<TopicPartition, Long> inEffect() {
        final Map<TopicPartition, Long> positions = new HashMap<>(inputs.positions());
        positions.replaceAll((tp, position) ->
                Topic.named(tp.topic()) == Topic.CLUSTER_STATE ? effective.getOrDefault(tp, 0L) : position);
        return positions;
    }

    /** Up to where nothing becomes a dead letter any more: an observation that has not taken effect may still turn out to be the cause of a failure. */
    private Map<TopicPartition, Long> settled() {
        final Map<TopicPartition, Long> settled = inEffect();
        setAside.forEach((tp, offset) -> settled.merge(tp, offset, Math::max));
        return settled;
    }

    private void commit(final List<OutgoingEvent> outgoing, final Instant now) {
        final Map<TopicPartition, OffsetAndMetadata> offsets =
                writer.hasDeadLetters() ? inputs.settledOffsets(settled()) : inputs.handledOffsets();
        writer.commit(outgoing, offsets, now);
        shard.committed(offsets);
    }

    private List<OutgoingEvent> decide(final Instant now) {
        try {
            return decider.decide(now);
        } catch (final RuntimeException | StackOverflowError e) {
            throw new DecisionFailedException("decision failed: " + e, e, inputs.positions());
        }
    }

    private void write(final List<OutgoingEvent> outgoing, final Instant now) {
        try {
            for (final List<OutgoingEvent> part : DecisionParts.of(outgoing, decider::isRecomputed)) {
                commit(part, now);
                DecisionLog.log(part);
            }
        } catch (final IllegalArgumentException e) {
            throw new DecisionFailedException("a decision cannot be written: " + e.getMessage(), e, inputs.positions());
        }
    }

    /** Without commands to clusters whose topics are not there; like any command without an answer, they expire. */
    private List<OutgoingEvent> addressable(final List<OutgoingEvent> decided) {
        return decided.stream().filter(this::isAddressable).toList();
    }

    private boolean isAddressable(final OutgoingEvent event) {
        if (!event.topic().isPerCluster() || inputs.reads(event.topic().topicName(event.cluster()))) {
            return true;
        }
        LOG.atError()
                .addKeyValue("cluster", event.cluster())
                .log(
                        "{}: '{}' not written: {} not found; the agent of the cluster creates it when it starts",
                        name,
                        event.key(),
                        event.topic().topicName(event.cluster()));
        return false;
    }

    /** An offset that shows when this session was last up to date; empty until it is. */
    Map<TopicPartition, OffsetAndMetadata> progress() {
        return progress;
    }

    boolean isCaughtUp() {
        return caughtUp;
    }

    long lag() {
        return lag;
    }

    void wakeup() {
        inputs.wakeup();
    }

    /** As {@link #wakeup}, but only while it waits for records: other questions to the broker are not interrupted. */
    void endWait() {
        if (waiting) {
            inputs.wakeup();
        }
    }

    @Override
    public void close() {
        writer.close();
        inputs.close();
    }
}
