package io.millrace.model.job;

import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import java.time.Instant;

/** Somebody who may do so asked to stop a global job, whatever its state. */
public record StopRequested(GlobalJobId job, UserName by, Instant requestedAt, String reason)
        implements SubmissionEvent {}
