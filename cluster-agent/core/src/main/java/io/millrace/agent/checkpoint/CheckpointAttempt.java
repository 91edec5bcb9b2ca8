package io.millrace.agent.checkpoint;

import io.millrace.model.command.Result;

/** What came of the attempt to save a job. */
sealed interface CheckpointAttempt {

    /** Saved or ended: this is the answer. */
    record Over(Result result) implements CheckpointAttempt {}

    /** @param runsOn whether the job runs on, so that its policy decides what becomes of it */
    record NotSaved(String because, boolean runsOn) implements CheckpointAttempt {}
}
