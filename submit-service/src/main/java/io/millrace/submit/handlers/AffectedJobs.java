package io.millrace.submit.handlers;

import io.millrace.model.cluster.RunEnded;
import io.millrace.model.job.JobSubmitted;
import io.millrace.submit.domain.handler.JobMail;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the submission of a global job that something happened to; empty if the cluster that reports it has no such attempt. */
public interface AffectedJobs {

    /** @param lastRun the last run of a job that has ended; null if it never ran, or if it has not ended */
    record Found(JobSubmitted job, @Nullable RunEnded lastRun) {}

    Optional<Found> find(JobMail.Occurrence occurrence);
}
