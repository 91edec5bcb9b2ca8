package io.millrace.agent.checkpoint;

import io.millrace.model.command.Result;

/** Result of an attempt to checkpoint a job. */
sealed interface CheckpointAttempt {

    /** The job was saved or has ended; this is the answer to the command. */
    record Answered(Result result) implements CheckpointAttempt {}

    /** @param stillRunning whether the job still runs, so that its policy applies */
    record NotSaved(String reason, boolean stillRunning) implements CheckpointAttempt {}
}
