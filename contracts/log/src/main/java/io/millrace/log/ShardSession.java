package io.millrace.log;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.protocol.Topic;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One life of a shard, from replay to its end. Used by the shard's thread only, but for the getters and {@link #wakeup}. */
final class ShardSession implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ShardSession.class);
    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final LoopSettings settings;
    private final String name;
    private final Clock clock;
    private final LoopCounters counters;
    private final Shard shard;
    private final Decider decider;
    private final DecisionTimer alarm;
    private final DecisionWriter commits;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final ShardInputs inputs;
    private volatile boolean caughtUp;
    private volatile long lag;

    ShardSession(
            final LoopSettings settings,
            final int partition,
            final DeciderFactory deciders,
            final Clock clock,
            final GroupMembership membership,
            final LoopCounters counters,
            final Shard shard) {
        this.settings = settings;
        this.name = settings.service() + "-" + partition;
        this.clock = clock;
        this.counters = counters;
        this.shard = shard;
        this.decider = deciders.open(partition);
        this.alarm = new DecisionTimer(decider);
        this.commits = new DecisionWriter(settings, partition, membership);
        this.consumer = Clients.openConsumer(
                Clients.consumer(settings.bootstrapServers(), settings.service(), settings.client()));
        this.inputs = new ShardInputs(settings, partition, membership.admin(), consumer);
    }

    void run() {
        commits.open();
        inputs.rewind(clock.instant());
        while (!shard.isStopping()) {
            for (final ConsumerRecord<byte[], byte[]> record : consumer.poll(patience())) {
                take(record);
            }
            lag = inputs.lag();
            if (!caughtUp && inputs.isReplayed()) {
                caughtUp = true;
                alarm.due(Duration.ZERO);
                LOG.info("{} has replayed the log and decides", name);
            }
            if (caughtUp && !shard.isStopping()) {
                act(clock.instant());
            }
        }
    }

    /** Nothing rings during the replay. */
    private Duration patience() {
        return caughtUp ? alarm.silence(clock.instant()) : DecisionTimer.LONGEST_WAIT;
    }

    private void take(final ConsumerRecord<byte[], byte[]> record) {
        try {
            final Optional<LogRecord> read = EventCodec.read(record);
            if (read.isEmpty()) {
                counters.unknownTypes.increment();
                return;
            }
            decider.apply(read.get());
            if (makesDue(read.get())) {
                alarm.due(settings.debounce());
            }
        } catch (final UnreadableMessageException e) {
            bury(record, e.reason(), e);
        } catch (final RuntimeException e) {
            bury(record, "not understood by " + settings.service() + ": " + e, e);
        }
    }

    /** Observations wait for the marker that closes their batch; nobody decides on half a picture. */
    private static boolean makesDue(final LogRecord read) {
        if (read.topic() != Topic.CLUSTER_STATE) {
            return true;
        }
        return !(read.isTombstone()
                || read.event() instanceof JobObserved
                || read.event() instanceof NodeObserved
                || read.event() instanceof PartitionObserved);
    }

    /** Once: what a commit has covered was buried then, and what another shard answers for is buried by that one. */
    private void bury(final ConsumerRecord<byte[], byte[]> record, final String reason, final RuntimeException cause) {
        if (!inputs.isNew(record)) {
            return;
        }
        final String place = record.topic() + "-" + record.partition() + "@" + record.offset();
        if (cause instanceof UnreadableMessageException) {
            LOG.warn("{}: {} goes to the dead letters: {}", name, place, reason);
        } else {
            LOG.warn("{}: {} goes to the dead letters", name, place, cause);
        }
        counters.deadLetters.increment();
        commits.bury(record, reason);
    }

    private void act(final Instant now) {
        if (alarm.rings(now)) {
            alarm.decided(now);
            final List<OutgoingEvent> says = decide(now);
            if (shard.isStopping()) {
                return;
            }
            if (!says.isEmpty()) {
                commits.commit(says, inputs.positions(), now);
                DecisionLog.log(says);
                counters.decided(now);
                shard.healthy();
                return;
            }
        }
        // Offsets never pass what was applied but not yet decided on: a crash would lose a submission that is read only
        // once.
        if (!alarm.isDue() && commits.isTime()) {
            commits.commitOffsets(inputs.positions(), now);
            shard.healthy();
        }
    }

    private List<OutgoingEvent> decide(final Instant now) {
        try {
            return decider.decide(now);
        } catch (final RuntimeException e) {
            throw new DecisionFailedException("deciding failed: " + e, e);
        }
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
        commits.close();
        consumer.close(CloseOptions.timeout(CLOSING));
    }
}
