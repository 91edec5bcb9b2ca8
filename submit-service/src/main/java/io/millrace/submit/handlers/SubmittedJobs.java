package io.millrace.submit.handlers;

import io.millrace.model.GlobalJobId;
import io.millrace.model.job.JobSubmitted;
import java.util.Optional;

/** Finds the submission of a global job. */
public interface SubmittedJobs {
    Optional<JobSubmitted> find(GlobalJobId job);
}
