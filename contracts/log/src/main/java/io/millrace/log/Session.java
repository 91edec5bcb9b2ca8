package io.millrace.log;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.protocol.Topic;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One life of a shard, from replay to its end. Used by the shard's thread only, but for the getters. */
final class Session implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    private static final Duration IDLE_POLL = Duration.ofMillis(250);
    private static final Duration OFFSETS_EVERY = Duration.ofSeconds(5);
    private static final Duration CLOSING = Duration.ofSeconds(2);
    private static final Duration SAME_WAKE_EVERY = Duration.ofSeconds(1);

    private final LoopSettings settings;
    private final int partition;
    private final Clock clock;
    private final Membership membership;
    private final LoopCounters counters;
    private final Shard shard;
    private final EventCodec codec;
    private final Decider decider;
    private final Producer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Inputs inputs;
    private final List<ProducerRecord<byte[], byte[]>> deadLetters = new ArrayList<>();

    private volatile boolean caughtUp;
    private volatile long lag;
    /** Whether something was applied that no decision has covered yet, and when that decision is to be taken. */
    private boolean due;

    private long dueAt;
    private Instant decidedAt = Instant.MIN;
    private long offsetsAt = System.nanoTime();
    private Map<TopicPartition, OffsetAndMetadata> committed = Map.of();

    Session(
            final LoopSettings settings,
            final int partition,
            final DeciderFactory deciders,
            final Clock clock,
            final Membership membership,
            final LoopCounters counters,
            final Shard shard) {
        this.settings = settings;
        this.partition = partition;
        this.clock = clock;
        this.membership = membership;
        this.counters = counters;
        this.shard = shard;
        this.codec = new EventCodec(settings.service());
        this.decider = deciders.open(partition);
        this.producer = Clients.openProducer(Clients.transactionalProducer(
                settings.bootstrapServers(), settings.service() + "-" + partition, settings.client()));
        this.consumer = Clients.openConsumer(
                Clients.consumer(settings.bootstrapServers(), settings.service(), settings.client()));
        this.inputs = new Inputs(settings, partition, membership.admin(), consumer);
    }

    void run() {
        producer.initTransactions();
        inputs.rewind(clock.instant());
        while (!shard.isStopping()) {
            for (final ConsumerRecord<byte[], byte[]> record : consumer.poll(patience())) {
                take(record);
            }
            lag = inputs.lag();
            if (!caughtUp && inputs.isReplayed()) {
                caughtUp = true;
                due(Duration.ZERO);
                LOG.info("{}-{} has replayed the log and decides", settings.service(), partition);
            }
            if (caughtUp && !shard.isStopping()) {
                act(clock.instant());
            }
        }
    }

    private void take(final ConsumerRecord<byte[], byte[]> record) {
        try {
            final Optional<Read> read = EventCodec.read(record);
            if (read.isEmpty()) {
                counters.unknownTypes.increment();
                return;
            }
            decider.apply(read.get());
            if (makesDue(read.get())) {
                due(settings.debounce());
            }
        } catch (final UnreadableMessage e) {
            bury(record, e.reason());
        } catch (final RuntimeException e) {
            LOG.warn(
                    "{}-{} cannot take {} {}-{}@{}",
                    settings.service(),
                    partition,
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    e);
            bury(record, "not understood by " + settings.service() + ": " + e);
        }
    }

    /** Observations wait for the marker that closes their batch; nobody decides on half a picture. */
    private static boolean makesDue(final Read read) {
        if (read.topic() != Topic.CLUSTER_STATE) {
            return true;
        }
        return !(read.isTombstone()
                || read.event() instanceof JobObserved
                || read.event() instanceof NodeObserved
                || read.event() instanceof PartitionObserved);
    }

    private void bury(final ConsumerRecord<byte[], byte[]> record, final String reason) {
        if (!inputs.isNew(record)) {
            return;
        }
        LOG.warn(
                "{} {}-{}@{} goes to the dead letters: {}",
                settings.service(),
                record.topic(),
                record.partition(),
                record.offset(),
                reason);
        counters.deadLetters.increment();
        deadLetters.add(DeadLetter.of(record, settings.service(), reason));
    }

    private void due(final Duration after) {
        if (!due) {
            due = true;
            dueAt = System.nanoTime() + after.toNanos();
        }
    }

    private void act(final Instant now) {
        if (isTimeToDecide(now)) {
            due = false;
            decidedAt = now;
            final List<Say> says = decide(now);
            if (shard.isStopping()) {
                return;
            }
            if (!says.isEmpty()) {
                commit(says, now);
                counters.decided(now);
                return;
            }
        }
        // Offsets never pass what was applied but not yet decided on: a crash would lose a submission that is read only
        // once.
        if (!due && isTimeToCommit()) {
            offsetsAt = System.nanoTime();
            commitOffsets(now);
        }
    }

    private boolean isTimeToDecide(final Instant now) {
        return (due && System.nanoTime() - dueAt >= 0) || untilWake(now).isZero();
    }

    private boolean isTimeToCommit() {
        return !deadLetters.isEmpty() || System.nanoTime() - offsetsAt >= OFFSETS_EVERY.toNanos();
    }

    private List<Say> decide(final Instant now) {
        try {
            return decider.decide(now);
        } catch (final RuntimeException e) {
            throw new DecisionFailed("deciding failed: " + e, e);
        }
    }

    private void commitOffsets(final Instant now) {
        if (!deadLetters.isEmpty() || !inputs.positions().equals(committed)) {
            commit(List.of(), now);
        } else {
            shard.healthy();
        }
    }

    private void commit(final List<Say> says, final Instant now) {
        final Map<TopicPartition, OffsetAndMetadata> positions = inputs.positions();
        final List<ProducerRecord<byte[], byte[]>> records = records(says, now);
        producer.beginTransaction();
        try {
            records.forEach(producer::send);
            deadLetters.forEach(producer::send);
            producer.sendOffsetsToTransaction(positions, membership.metadata());
            producer.commitTransaction();
        } catch (final KafkaException e) {
            abort(e);
            throw e;
        }
        deadLetters.clear();
        committed = positions;
        offsetsAt = System.nanoTime();
        shard.healthy();
    }

    private List<ProducerRecord<byte[], byte[]>> records(final List<Say> says, final Instant now) {
        final Map<Topic, Integer> partitions = new HashMap<>();
        try {
            return says.stream()
                    .map(say -> codec.write(say, now, partitions.computeIfAbsent(say.topic(), this::partitions)))
                    .toList();
        } catch (final IllegalArgumentException e) {
            throw new DecisionFailed("what was decided cannot be written: " + e.getMessage(), e);
        }
    }

    private int partitions(final Topic topic) {
        return producer.partitionsFor(topic.topicName()).size();
    }

    private void abort(final KafkaException because) {
        try {
            producer.abortTransaction();
        } catch (final KafkaException | IllegalStateException e) {
            // Fenced or unreachable: then the successor, or the transaction's time-out, aborts it.
            because.addSuppressed(e);
        }
    }

    private Duration patience() {
        Duration wait = IDLE_POLL;
        if (!caughtUp) {
            return wait;
        }
        if (due) {
            wait = shorter(wait, Duration.ofNanos(dueAt - System.nanoTime()));
        }
        return shorter(wait, untilWake(clock.instant()));
    }

    /** Zero if it is time; a wish that has passed already and is still there is granted once a second. */
    private Duration untilWake(final Instant now) {
        final Optional<Instant> wish = decider.wakeAt();
        if (wish.isEmpty()) {
            return IDLE_POLL;
        }
        final Instant at = wish.get().isAfter(decidedAt) ? wish.get() : decidedAt.plus(SAME_WAKE_EVERY);
        return at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO;
    }

    private static Duration shorter(final Duration one, final Duration other) {
        final Duration shorter = one.compareTo(other) < 0 ? one : other;
        return shorter.isNegative() ? Duration.ZERO : shorter;
    }

    boolean isCaughtUp() {
        return caughtUp;
    }

    long lag() {
        return lag;
    }

    /** The one call that may come from another thread. */
    void wakeup() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        producer.close(CLOSING);
        consumer.close(CloseOptions.timeout(CLOSING));
    }
}
