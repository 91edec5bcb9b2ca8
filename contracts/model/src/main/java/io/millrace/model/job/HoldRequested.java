package io.millrace.model.job;

import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import java.time.Instant;

/**
 * An authorised user requested that a global job does not start until it is released.
 *
 * @param by the owner, or an operator: then only operators release it
 */
public record HoldRequested(GlobalJobId job, UserName by, Instant requestedAt, String reason)
        implements SubmissionEvent {}
