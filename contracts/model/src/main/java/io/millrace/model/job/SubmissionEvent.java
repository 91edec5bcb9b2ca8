package io.millrace.model.job;

import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;

/** The family of {@code millrace.submissions}. */
public sealed interface SubmissionEvent extends Event
        permits JobSubmitted, StopRequested, HoldRequested, ReleaseRequested, AlterRequested {

    GlobalJobId job();

    @Override
    default String key() {
        return job().value();
    }
}
