package io.millrace.agent.domain;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunOutcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An ended run as recorded by accounting. */
public record AccountedRun(
        JobKey job, int run, @Nullable Instant started, Instant ended, RunOutcome outcome, String source) {}
