package io.millrace.agent.wlm;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunOutcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run that accounting knows to be over.
 *
 * @param run number of the run of this job, from 1
 * @param started null if the job ended without ever running
 * @param source where the figures come from, e.g. {@code sacct}
 */
public record Run(JobKey job, int run, @Nullable Instant started, Instant ended, RunOutcome outcome, String source) {}
