package io.millrace.agent;

import io.millrace.agent.domain.AnsweredCommands;
import io.millrace.decide.ClusterView;
import io.millrace.model.CommandId;
import io.millrace.model.Event;
import io.millrace.model.JobKey;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.policy.ClusterAvailability;
import io.millrace.model.policy.PlanClosed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The agent's access to Kafka: one replay, then commands in order and short transactions. */
public interface AgentLog extends AutoCloseable {

    /**
     * The state of the cluster and its commands, as replayed from Kafka.
     *
     * @param begun commands that were started and not answered, with the start time
     * @param ends jobs with ends published since the last observation or shortly before, with the time of the end
     * @param lastObservedAt when the workload manager answered last; null: never
     */
    record ReplayedState(
            ClusterView view,
            Map<CommandId, Instant> begun,
            AnsweredCommands answered,
            Map<JobKey, Instant> ends,
            @Nullable Instant lastObservedAt) {}

    /** A received record, in the order of the log. */
    sealed interface Incoming {
        /** @param nextOffset offset of the next record */
        record CommandReceived(Command command, long offset, long nextOffset) implements Incoming {}

        /** A command that this release cannot read, with its refusal. */
        record Unsupported(Outcome refusal, long nextOffset) implements Incoming {}

        /** A record for another cluster. */
        record Skipped(long nextOffset) implements Incoming {}

        record PlanReceived(PlanClosed plan) implements Incoming {}

        /** An operator drained, fenced or opened this cluster. */
        record AvailabilityReceived(ClusterAvailability availability) implements Incoming {}
    }

    /** A record to be written. */
    sealed interface Entry {
        record Put(Event event) implements Entry {}

        /** Removes a key from the state of the cluster. */
        record Removed(String key) implements Entry {}
    }

    /** Kafka does not answer, or the result of the last transaction is unknown. The log must be opened again. */
    final class Unavailable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Unavailable(final String message, final Throwable cause) {
            super(message, cause);
        }
    }

    /** Another agent serves this cluster now; this one must stop. */
    final class Fenced extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Fenced(final String message, final Throwable cause) {
            super(message, cause);
        }
    }

    /** Some records can never be written, for example because they are too large. Nothing was written. */
    final class Unwritable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Set<Event> events;

        /** @param events all events of the transaction that cannot be written */
        public Unwritable(final String message, final Throwable cause, final Set<Event> events) {
            super(message, cause);
            this.events = Set.copyOf(events);
        }

        public Set<Event> events() {
            return events;
        }
    }

    /** Fences a previous agent and replays the state. Replayed commands are returned by {@link #poll} as well. */
    ReplayedState open();

    /** Received records, replayed commands first. Waits at most {@code patience} for the first one. */
    List<Incoming> poll(Duration patience);

    /** Interrupts a waiting {@link #poll}. Thread-safe. */
    void wake();

    /**
     * Writes all entries in one transaction. Thread-safe.
     *
     * @throws Unwritable if one of them can never be written
     */
    void commit(List<Entry> entries);

    @Override
    void close();
}
