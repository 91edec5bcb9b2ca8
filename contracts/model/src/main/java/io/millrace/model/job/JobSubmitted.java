package io.millrace.model.job;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A global job was accepted. From here on it reaches End, Aborted or Stopped (promise 1).
 *
 * @param source the cluster that holds {@code directory} and receives the results
 * @param directory absolute path of the job's directory on {@code source}
 * @param target the cluster that the user requests; null lets Millrace choose
 * @param signature compact JWS: owner, digest of script and make step, job id, expiry
 */
public record JobSubmitted(
        GlobalJobId job,
        UserName owner,
        JobSpec spec,
        ClusterId source,
        String directory,
        @Nullable ClusterId target,
        Instant submittedAt,
        String signature)
        implements SubmissionEvent {}
