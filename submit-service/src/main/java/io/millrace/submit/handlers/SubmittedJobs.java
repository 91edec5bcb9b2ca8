package io.millrace.submit.handlers;

import io.millrace.model.job.JobSubmitted;
import io.millrace.submit.domain.handler.JobMail;
import java.util.Optional;

/** Finds the submission of a global job that something happened to; empty if the cluster that reports it has no such attempt. */
public interface SubmittedJobs {
    Optional<JobSubmitted> find(JobMail.Occurrence occurrence);
}
