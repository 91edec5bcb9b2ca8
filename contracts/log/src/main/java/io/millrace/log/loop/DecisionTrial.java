package io.millrace.log.loop;

import io.millrace.log.EventCodec;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.loop.PoisonSearch.Selection;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Replays a selection of the log into a new decider and tries a decision. Nothing is written. */
final class DecisionTrial implements PoisonSearch.Trial {

    private static final Logger LOG = LoggerFactory.getLogger(DecisionTrial.class);
    private static final Duration POLL = Duration.ofSeconds(1);

    private final Shard shard;
    private final FailureKind kind;
    private final Map<TopicPartition, Long> upTo;
    private final EventCodec codec;

    /** @param upTo the offsets that the failed session has read */
    DecisionTrial(final Shard shard, final FailureKind kind, final Map<TopicPartition, Long> upTo) {
        this.shard = shard;
        this.kind = kind;
        this.upTo = upTo;
        this.codec = new EventCodec(shard.settings().service());
    }

    @Override
    public boolean fails(final Selection selection) {
        final Decider decider = shard.openDecider();
        try (ShardInputs inputs = shard.inputs()) {
            inputs.rewind(shard.now());
            inputs.resume();
            while (!isRead(inputs.positions(), selection)) {
                if (shard.isStopping()) {
                    throw new WakeupException();
                }
                inputs.poll(POLL).forEach(record -> apply(decider, selection, record));
            }
        }
        return decisionFails(decider);
    }

    private boolean isRead(final Map<TopicPartition, Long> positions, final Selection selection) {
        return upTo.entrySet().stream()
                .allMatch(end -> positions.getOrDefault(end.getKey(), Long.MAX_VALUE)
                        >= last(end.getKey(), end.getValue(), selection));
    }

    private static long last(final TopicPartition tp, final long end, final Selection selection) {
        final long also =
                selection.also() != null && selection.also().partition().equals(tp)
                        ? selection.also().offset() + 1
                        : 0;
        return Math.min(end, Math.max(also, selection.before().getOrDefault(tp, end)));
    }

    private void apply(final Decider decider, final Selection selection, final ConsumerRecord<byte[], byte[]> record) {
        final TopicPartition tp = new TopicPartition(record.topic(), record.partition());
        if (record.offset() >= upTo.getOrDefault(tp, 0L)
                || !selection.contains(tp, record.offset())
                || shard.poison().skipReason(record) != null) {
            return;
        }
        try {
            EventCodec.read(record).ifPresent(decider::apply);
        } catch (final RuntimeException | StackOverflowError e) {
            LOG.debug("{} is skipped in a trial, as in a session", tp, e);
        }
    }

    private boolean decisionFails(final Decider decider) {
        final Instant now = shard.now();
        try {
            for (final OutgoingEvent decided : decider.decide(now)) {
                codec.write(decided, now, 1);
            }
            return false;
        } catch (final RuntimeException | StackOverflowError e) {
            return FailureKind.of(e).isSame(kind);
        }
    }
}
