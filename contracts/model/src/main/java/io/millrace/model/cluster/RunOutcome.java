package io.millrace.model.cluster;

import io.millrace.model.JobKey;

/** How a run of a job ended. */
public sealed interface RunOutcome {

    /** The script ended by itself with this exit code (0 to 255). */
    record Exited(int exitCode) implements RunOutcome {}

    /** A signal ended it; {@code signal} is the number. */
    record Signalled(int signal) implements RunOutcome {}

    /** Cancelled by its owner, an operator or a command; it may never have started. */
    record Cancelled() implements RunOutcome {}

    /** Killed at its walltime limit. */
    record TimedOut() implements RunOutcome {}

    /** A node failed under it. */
    record NodeFailed() implements RunOutcome {}

    /** Put back into the queue; what it had done is lost. */
    record Requeued() implements RunOutcome {}

    /** Put back into the queue after it saved its state. */
    record Checkpointed(CheckpointTaken checkpoint) implements RunOutcome {}

    /** Saved, and restarted under another id (LSF's {@code brestart}): this key is over, the job is not. */
    record Continued(JobKey continuedAs, CheckpointTaken checkpoint) implements RunOutcome {}

    /** Accounting could not say before the deadline; {@code because} names what was asked. */
    record Unknown(String reason) implements RunOutcome {}

    /** In one lower-case word, as people and programs outside see it. */
    default String word() {
        return switch (this) {
            case Exited e -> "exited";
            case Signalled s -> "signalled";
            case Cancelled c -> "cancelled";
            case TimedOut t -> "timed-out";
            case NodeFailed n -> "node-failed";
            case Requeued r -> "requeued";
            case Checkpointed c -> "checkpointed";
            case Continued c -> "continued";
            case Unknown u -> "unknown";
        };
    }

    /** Whether the job itself is over, not only this run of it. */
    default boolean endsTheJob() {
        return switch (this) {
            case Exited e -> true;
            case Signalled s -> true;
            case Cancelled c -> true;
            case TimedOut t -> true;
            case NodeFailed n -> true;
            case Unknown u -> true;
            case Requeued r -> false;
            case Checkpointed c -> false;
            case Continued c -> false;
        };
    }

    /** Whether no further run follows under this job key. */
    default boolean endsTheKey() {
        return endsTheJob() || this instanceof Continued;
    }
}
