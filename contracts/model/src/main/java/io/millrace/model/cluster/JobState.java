package io.millrace.model.cluster;

import io.millrace.model.NodeName;
import java.time.Instant;
import java.util.List;

/**
 * The state of a local job as its workload manager reports it.
 *
 * <pre>
 *   Held <--> Queued --> Running <--> Suspended
 *     ^          ^          |
 *     +----------+--requeue-+--> Completing --> (gone) Unsettled --> end on millrace.job-ends
 * </pre>
 */
public sealed interface JobState {

    /** Waiting for its turn; the local scheduler may start it at any moment. */
    record Queued() implements JobState {}

    /** Not eligible to start until the hold is released. */
    record Held(HoldKind by) implements JobState {}

    /** Executing since {@code started} on {@code nodes}. */
    record Running(Instant startedAt, List<NodeName> nodes) implements JobState {
        public Running {
            nodes = List.copyOf(nodes);
        }
    }

    /** Stopped in place; its cores are free for others, its memory is not. */
    record Suspended(Instant startedAt, List<NodeName> nodes) implements JobState {
        public Suspended {
            nodes = List.copyOf(nodes);
        }
    }

    /** The script has ended, the nodes are not yet free. */
    record Completing() implements JobState {}

    /** Left the queue; accounting does not show yet how it ended. */
    record Unsettled(Instant since) implements JobState {}

    /** A state this adapter does not know: shown and counted, never taken for an end. {@code code} is the native word. */
    record Unknown(String code) implements JobState {}

    /** The state in one word, for messages. */
    default String word() {
        return switch (this) {
            case Queued q -> "queued";
            case Held h -> "held";
            case Running r -> "running";
            case Suspended s -> "suspended";
            case Completing c -> "completing";
            case Unsettled u -> "unsettled";
            case Unknown u -> "unknown";
        };
    }

    /** As {@link #word}, and for a held job by whom. */
    default String phrase() {
        return this instanceof Held held ? "held by " + held.by().holder() : word();
    }

    /** Whether the job occupies cores now. */
    default boolean occupiesCores() {
        return switch (this) {
            case Running r -> true;
            case Completing c -> true;
            case Unknown u -> true;
            case Queued q -> false;
            case Held h -> false;
            case Suspended s -> false;
            case Unsettled u -> false;
        };
    }

    /** Whether the job waits for a start, held or not. */
    default boolean isWaiting() {
        return this instanceof Queued || this instanceof Held;
    }
}
