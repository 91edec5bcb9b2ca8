package io.millrace.submit.domain.job;

import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobStatus;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.StopRequested;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A global job in the read model.
 *
 * @param job has version 0 while only its submission is known
 * @param state as the job and its local job showed it; it stays while the end of a run is not known yet
 * @param digest of the first request under this id
 * @param stop the first stop request, whether executed or not
 */
public record StoredJob(
        GlobalJob job,
        JobStatus state,
        String digest,
        @Nullable StopRequested stop) {

    /** A job of which only the submission is known. */
    public static GlobalJob submitted(final JobSubmitted job) {
        return new GlobalJob(
                job, GlobalJobState.Waiting.ACCEPTED, List.of(), null, job.submittedAt(), 0, job.hold(), null);
    }
}
