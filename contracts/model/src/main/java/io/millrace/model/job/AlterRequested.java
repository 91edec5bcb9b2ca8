package io.millrace.model.job;

import io.millrace.model.GlobalJobId;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An authorised user requested other properties of a global job that is not placed yet. What is null stays as it is.
 *
 * @param cores total number of cores
 * @param priority the order among the waiting jobs of its owner: higher first, 0 for a job that was never altered
 */
public record AlterRequested(
        GlobalJobId job,
        UserName by,
        Instant requestedAt,
        @Nullable String name,
        @Nullable Duration walltime,
        @Nullable Integer cores,
        @Nullable PartitionName partition,
        @Nullable Integer priority)
        implements SubmissionEvent {

    /** The submission as altered. */
    public JobSubmitted applyTo(final JobSubmitted submission) {
        final JobSpec spec = submission.spec();
        final Resources before = spec.resources();
        final JobSpec after = new JobSpec(
                Objects.requireNonNullElse(name, spec.name()),
                spec.script(),
                spec.make(),
                cores == null ? before : new Resources(cores, before.nodes(), before.memoryMib(), before.gpus()),
                Objects.requireNonNullElse(walltime, spec.walltime()),
                partition == null ? spec.partition() : partition,
                spec.project(),
                spec.environment(),
                spec.checkpoint(),
                spec.strict());
        return new JobSubmitted(
                submission.job(),
                submission.owner(),
                after,
                submission.source(),
                submission.directory(),
                submission.target(),
                submission.submittedAt(),
                submission.signature());
    }
}
