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

    /** Killed at its limit of walltime or CPU time, or at its deadline. */
    record TimedOut() implements RunOutcome {}

    /** Killed because it needed more memory than it had requested. */
    record OutOfMemory() implements RunOutcome {}

    /** Killed in favour of another job, and not queued again; a run after which the job waits again is {@link Requeued}. */
    record Preempted() implements RunOutcome {}

    /** A node failed under it. */
    record NodeFailed() implements RunOutcome {}

    /** Requeued; its work is lost. */
    record Requeued() implements RunOutcome {}

    /** Requeued after a checkpoint. */
    record Checkpointed(CheckpointTaken checkpoint) implements RunOutcome {}

    /** Checkpointed and restarted under another id (LSF's {@code brestart}): this key has ended, the job has not. */
    record Continued(JobKey continuedAs, CheckpointTaken checkpoint) implements RunOutcome {}

    /** Accounting had no answer before the deadline; {@code reason} names what was queried. */
    record Unknown(String reason) implements RunOutcome {}

    /** The outcome as one lower-case word, as users and other programs see it. */
    default String word() {
        return switch (this) {
            case Exited e -> "exited";
            case Signalled s -> "signalled";
            case Cancelled c -> "cancelled";
            case TimedOut t -> "timed-out";
            case OutOfMemory o -> "out-of-memory";
            case Preempted p -> "preempted";
            case NodeFailed n -> "node-failed";
            case Requeued r -> "requeued";
            case Checkpointed c -> "checkpointed";
            case Continued c -> "continued";
            case Unknown u -> "unknown";
        };
    }

    /** The outcome in a few words, such as {@code exit code 1}. */
    default String detail() {
        return switch (this) {
            case Exited e -> "exit code " + e.exitCode();
            case Signalled s -> "killed by signal " + s.signal();
            case Cancelled c -> "cancelled";
            case TimedOut t -> "killed at its time limit";
            case OutOfMemory o -> "out of memory";
            case Preempted p -> "preempted, and not queued again";
            case NodeFailed n -> "a node failed";
            case Requeued r -> "requeued; its work is lost";
            case Checkpointed c -> "checkpointed and requeued";
            case Continued c -> "checkpointed; continues as " + c.continuedAs();
            case Unknown u -> "unknown: " + u.reason();
        };
    }

    /** Whether the job itself has ended, not only this run. */
    default boolean endsTheJob() {
        return switch (this) {
            case Exited e -> true;
            case Signalled s -> true;
            case Cancelled c -> true;
            case TimedOut t -> true;
            case OutOfMemory o -> true;
            case Preempted p -> true;
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
