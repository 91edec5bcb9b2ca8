package io.millrace.model.job;

import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import java.time.Instant;

/** An authorised user released a global job from its hold. */
public record ReleaseRequested(GlobalJobId job, UserName by, Instant requestedAt) implements SubmissionEvent {}
