package io.millrace.submit.domain.job;

import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.StopRequested;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A global job as the read model has it.
 *
 * @param job with version 0 as long as only its submission is known
 * @param digest of what was asked for first under this id
 * @param stop the first stop that was asked for, carried out or not
 */
public record StoredJob(
        GlobalJob job, String digest, @Nullable StopRequested stop) {

    /** A job of which only the submission is known. */
    public static GlobalJob fresh(final JobSubmitted job) {
        final GlobalJobState accepted = new GlobalJobState.Waiting("accepted; no cluster was looked for yet");
        return new GlobalJob(job, accepted, List.of(), null, job.submittedAt(), 0);
    }
}
