package io.millrace.agent.domain;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunOutcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An ended run as recorded by accounting.
 *
 * @param run number of this run of the job, starting at 1
 * @param started null if the job ended without running
 * @param source the source of the data, e.g. {@code sacct}
 * @param used what it used; {@link ResourceUsage#NONE} if the source does not say
 */
public record Run(
        JobKey job,
        int run,
        @Nullable Instant started,
        Instant ended,
        RunOutcome outcome,
        String source,
        ResourceUsage used) {

    /** A run of which only the end is known. */
    public Run(
            final JobKey job,
            final int run,
            final @Nullable Instant started,
            final Instant ended,
            final RunOutcome outcome,
            final String source) {
        this(job, run, started, ended, outcome, source, ResourceUsage.NONE);
    }

    public Run with(final RunOutcome other) {
        return new Run(job, run, started, ended, other, source, used);
    }

    public Run with(final ResourceUsage measured) {
        return new Run(job, run, started, ended, outcome, source, measured);
    }
}
