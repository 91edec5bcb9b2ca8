package io.millrace.agent.kafka;

import io.millrace.agent.AgentLog.Incoming;
import io.millrace.log.CommandHead;
import io.millrace.log.EventCodec;
import io.millrace.log.LogRecord;
import io.millrace.log.TransactionalSink;
import io.millrace.log.UnreadableMessageException;
import io.millrace.model.ClusterId;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.PlanClosed;
import io.millrace.model.protocol.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Picks what concerns this cluster out of a partition that it shares with others. */
final class CommandReader {

    private static final Logger LOG = LoggerFactory.getLogger(CommandReader.class);

    private final ClusterId cluster;
    private final Clock clock;
    private final TransactionalSink sink;

    CommandReader(final ClusterId cluster, final Clock clock, final TransactionalSink sink) {
        this.cluster = cluster;
        this.clock = clock;
        this.sink = sink;
    }

    /** A record of the commands or the plans; what cannot be understood goes to the dead letters, and reading goes on. */
    Optional<Incoming> read(final ConsumerRecord<byte[], byte[]> record) {
        return switch (Topic.named(record.topic())) {
            case COMMANDS -> Optional.of(command(record, true));
            case PLANS -> sign(record);
            case CLUSTER_STATE,
                    JOB_ENDS,
                    OUTCOMES,
                    CLASSES,
                    ENTITLEMENTS,
                    USAGE,
                    LEDGER,
                    QUOTAS,
                    SUBMISSIONS,
                    GLOBAL_JOBS,
                    TRANSFERS,
                    REQUESTS -> Optional.empty();
        };
    }

    /** @param bury whether an unreadable one is to be put among the dead letters (not if that was done in an earlier life) */
    Incoming command(final ConsumerRecord<byte[], byte[]> record, final boolean bury) {
        final long next = record.offset() + 1;
        if (!isOurs(record)) {
            return new Incoming.Skipped(next);
        }
        try {
            final Optional<LogRecord> read = EventCodec.readStrict(record);
            if (read.isPresent() && read.get().event() instanceof Command command) {
                return new Incoming.CommandReceived(command, record.offset(), next);
            }
            return notUnderstood(record, "an event type of a newer release", bury);
        } catch (final UnreadableMessageException e) {
            return notUnderstood(record, String.valueOf(e.getMessage()), bury);
        }
    }

    private Incoming notUnderstood(
            final ConsumerRecord<byte[], byte[]> record, final String because, final boolean bury) {
        if (bury) {
            LOG.warn(
                    "command at {}-{}@{} goes to the dead letters: {}",
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    because);
            sink.deadLetter(record, because);
        }
        final Optional<CommandHead> head = record.value() == null ? Optional.empty() : EventCodec.headOf(record);
        return head.filter(known -> known.cluster().equals(cluster))
                .<Incoming>map(known -> new Incoming.Unsupported(
                        known.unsupported(
                                clock.instant(),
                                because + "; this release of the agent cannot read it, upgrade the agent"),
                        record.offset() + 1))
                .orElseGet(() -> new Incoming.Skipped(record.offset() + 1));
    }

    private Optional<Incoming> sign(final ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null || record.value() == null || !key(record).equals(cluster + "/" + Issuer.BACKFILL)) {
            return Optional.empty();
        }
        try {
            return EventCodec.read(record)
                    .flatMap(read -> read.event() instanceof PlanClosed plan
                            ? Optional.of(new Incoming.PlanReceived(plan))
                            : Optional.empty());
        } catch (final UnreadableMessageException e) {
            LOG.warn("a plan for '{}' cannot be read: {}", cluster, e.getMessage());
            return Optional.empty();
        }
    }

    private boolean isOurs(final ConsumerRecord<byte[], byte[]> record) {
        return record.key() != null && key(record).equals(cluster.value());
    }

    private static String key(final ConsumerRecord<byte[], byte[]> record) {
        return new String(record.key(), StandardCharsets.UTF_8);
    }
}
