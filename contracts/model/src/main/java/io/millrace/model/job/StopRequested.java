package io.millrace.model.job;

import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import java.time.Instant;

/** An authorised user requested to stop a global job. */
public record StopRequested(GlobalJobId job, UserName by, Instant requestedAt, String reason)
        implements SubmissionEvent {}
