package io.millrace.migration.domain.job;

import io.millrace.model.cluster.RunOutcome;

/** The outcome of a run, as text for messages. */
final class RunOutcomeText {

    private RunOutcomeText() {}

    static String of(final RunOutcome outcome) {
        return switch (outcome) {
            case RunOutcome.Exited e -> "exit code " + e.exitCode();
            case RunOutcome.Signalled s -> "signal " + s.signal();
            case RunOutcome.Cancelled c -> "cancelled";
            case RunOutcome.TimedOut t -> "walltime limit reached";
            case RunOutcome.NodeFailed n -> "node failed";
            case RunOutcome.Requeued r -> "requeued";
            case RunOutcome.Checkpointed c -> "requeued after a checkpoint";
            case RunOutcome.Continued c -> "continues as " + c.continuedAs() + " after a checkpoint";
            case RunOutcome.Unknown u -> "unknown: " + u.reason();
        };
    }
}
