package io.millrace.agent.kafka;

import io.millrace.agent.AgentLog.Incoming;
import io.millrace.log.CommandHead;
import io.millrace.log.EventCodec;
import io.millrace.log.LogRecord;
import io.millrace.log.TransactionalSink;
import io.millrace.log.UnreadableMessageException;
import io.millrace.log.access.Part;
import io.millrace.model.ClusterId;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.ClusterAvailability;
import io.millrace.model.policy.PlanClosed;
import io.millrace.model.protocol.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the commands of this cluster, and selects its records from the topics that clusters share. */
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

    /** Reads a command or plan. A record that cannot be read goes to the dead letters. */
    Optional<Incoming> read(final ConsumerRecord<byte[], byte[]> record) {
        return switch (Topic.named(record.topic())) {
            case COMMANDS -> Optional.of(command(record, true));
            case PLANS -> sign(record);
            case AVAILABILITY -> availability(record);
            case CLUSTER_STATE,
                    JOB_ENDS,
                    OUTCOMES,
                    CLASSES,
                    ENTITLEMENTS,
                    USAGE,
                    LEDGER,
                    QUOTAS,
                    LOCKS,
                    NUMBERS,
                    SUBMISSIONS,
                    GLOBAL_JOBS,
                    TRANSFERS,
                    REQUESTS,
                    FILE_REQUESTS,
                    FILE_ANSWERS -> Optional.empty();
        };
    }

    /** @param bury whether an unreadable record goes to the dead letters (not if it did before a restart) */
    Incoming command(final ConsumerRecord<byte[], byte[]> record, final boolean bury) {
        try {
            final Optional<LogRecord> read = EventCodec.readStrict(record);
            if (read.isPresent() && read.get().event() instanceof Command command) {
                return new Incoming.CommandReceived(command, record.offset(), record.offset() + 1);
            }
            return unsupported(record, "unknown event type", bury);
        } catch (final UnreadableMessageException e) {
            return unsupported(record, String.valueOf(e.getMessage()), bury);
        }
    }

    private Incoming unsupported(final ConsumerRecord<byte[], byte[]> record, final String reason, final boolean bury) {
        if (bury) {
            LOG.warn(
                    "command at {}-{}@{} sent to the dead letters: {}",
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    reason);
            sink.deadLetter(record, new Part.Agent(cluster), reason);
        }
        final Optional<CommandHead> head = record.value() == null ? Optional.empty() : EventCodec.headOf(record);
        return head.filter(known -> known.cluster().equals(cluster))
                .<Incoming>map(known -> new Incoming.Unsupported(
                        known.unsupported(clock.instant(), reason + "; upgrade the agent"), record.offset() + 1))
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
            LOG.warn("cannot read a plan for '{}': {}", cluster, e.getMessage());
            return Optional.empty();
        }
    }

    /** Whether operators have fenced this cluster; an unreadable record leaves the last one in force. */
    private Optional<Incoming> availability(final ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null || record.value() == null || !key(record).equals(ClusterAvailability.keyOf(cluster))) {
            return Optional.empty();
        }
        try {
            return EventCodec.read(record)
                    .flatMap(read -> read.event() instanceof ClusterAvailability availability
                            ? Optional.of(new Incoming.AvailabilityReceived(availability))
                            : Optional.empty());
        } catch (final UnreadableMessageException e) {
            LOG.warn("cannot read the availability of '{}': {}", cluster, e.getMessage());
            return Optional.empty();
        }
    }

    private static String key(final ConsumerRecord<byte[], byte[]> record) {
        return new String(record.key(), StandardCharsets.UTF_8);
    }
}
