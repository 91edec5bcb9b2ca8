package io.millrace.submit.rest.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.GlobalJobState;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** How a run ended. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Outcome")
public record OutcomeView(
        @Schema(
                enumeration = {
                    "exited",
                    "signalled",
                    "cancelled",
                    "timed-out",
                    "out-of-memory",
                    "preempted",
                    "node-failed",
                    "requeued",
                    "checkpointed",
                    "continued",
                    "unknown"
                })
        String kind,

        @Schema(description = "Exit code as in a shell (128 + signal number); absent for other outcomes") @Nullable
        Integer exitCode,

        String detail) {

    private static final int SIGNAL_BASE = 128;

    static @Nullable OutcomeView of(final GlobalJobState state) {
        return switch (state) {
            case GlobalJobState.Downloading s -> of(s.outcome());
            case GlobalJobState.End s -> of(s.outcome());
            case GlobalJobState.Waiting s -> null;
            case GlobalJobState.Uploading s -> null;
            case GlobalJobState.Making s -> null;
            case GlobalJobState.Submitted s -> null;
            case GlobalJobState.Aborted s -> null;
            case GlobalJobState.Stopped s -> null;
        };
    }

    /** Null for a job that was stopped or has not ended. */
    static @Nullable Boolean succeeded(final GlobalJobState state) {
        return switch (state) {
            case GlobalJobState.End s -> s.outcome().equals(new RunOutcome.Exited(0));
            case GlobalJobState.Aborted s -> false;
            case GlobalJobState.Downloading s -> null;
            case GlobalJobState.Waiting s -> null;
            case GlobalJobState.Uploading s -> null;
            case GlobalJobState.Making s -> null;
            case GlobalJobState.Submitted s -> null;
            case GlobalJobState.Stopped s -> null;
        };
    }

    static OutcomeView of(final RunOutcome outcome) {
        return new OutcomeView(outcome.word(), exitCode(outcome), outcome.detail());
    }

    private static @Nullable Integer exitCode(final RunOutcome outcome) {
        return switch (outcome) {
            case RunOutcome.Exited exited -> exited.exitCode();
            case RunOutcome.Signalled signalled -> SIGNAL_BASE + signalled.signal();
            default -> null;
        };
    }
}
