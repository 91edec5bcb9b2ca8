package io.millrace.agent;

import io.millrace.agent.domain.AnsweredCommands;
import io.millrace.model.CommandId;
import io.millrace.model.Event;
import io.millrace.model.JobKey;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.policy.PlanClosed;
import io.millrace.model.view.ClusterView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The log as the agent uses it: read back once, then commands in order and short transactions. */
public interface AgentLog extends AutoCloseable {

    /**
     * What the log said when it was opened.
     *
     * @param begun commands begun and not answered, and when
     * @param ends of the jobs whose ends were told since the last look, and a while before: when they ended
     * @param lastObservedAt when the workload manager answered last; null: never
     */
    record ReplayedState(
            ClusterView view,
            Map<CommandId, Instant> begun,
            AnsweredCommands answered,
            Map<JobKey, Instant> ends,
            @Nullable Instant lastObservedAt) {}

    /** What comes in, in the order of the log. */
    sealed interface Incoming {
        /** @param nextOffset offset behind this record */
        record CommandReceived(Command command, long offset, long nextOffset) implements Incoming {}

        /** A command of a newer release, with the refusal it gets. */
        record Unsupported(Outcome refusal, long nextOffset) implements Incoming {}

        /** A record that is for somebody else. */
        record Skipped(long nextOffset) implements Incoming {}

        record PlanReceived(PlanClosed plan) implements Incoming {}
    }

    /** What goes out. */
    sealed interface Entry {
        record Put(Event event) implements Entry {}

        /** The key leaves the cluster's picture. */
        record Removed(String key) implements Entry {}
    }

    /** The log does not answer, or nobody can tell what became of the last transaction: open it anew. */
    final class Unavailable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Unavailable(final String message, final Throwable cause) {
            super(message, cause);
        }
    }

    /** Another agent speaks for this cluster now: this one must not act any more. */
    final class Fenced extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Fenced(final String message, final Throwable cause) {
            super(message, cause);
        }
    }

    /** Fences a predecessor and reads everything back; the commands read so far come out of {@link #poll} as well. */
    ReplayedState open();

    /** What came in since; waits so long for the first. Commands that were replayed come first. */
    List<Incoming> poll(Duration patience);

    /** Ends a waiting {@link #poll} at once; may be called by any thread. */
    void wake();

    /** Writes all or nothing; may be called by any thread. */
    void commit(List<Entry> entries);

    @Override
    void close();
}
