package io.millrace.agent.wlm;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunOutcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An ended run as recorded by accounting.
 *
 * @param run number of this run of the job, starting at 1
 * @param started null if the job ended without running
 * @param source the source of the data, e.g. {@code sacct}
 */
public record Run(JobKey job, int run, @Nullable Instant started, Instant ended, RunOutcome outcome, String source) {}
