package io.millrace.agent.checkpoint;

import io.millrace.model.command.Result;

/** What came of the attempt to save a job. */
sealed interface CheckpointAttempt {

    /** Saved or ended: this is the answer. */
    record Answered(Result result) implements CheckpointAttempt {}

    /** @param stillRunning whether the job runs on, so that its policy decides what becomes of it */
    record NotSaved(String reason, boolean stillRunning) implements CheckpointAttempt {}
}
