package io.millrace.model.job;

import io.millrace.model.GlobalJobId;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An authorised user requested other properties of a global job that is not placed yet, or changed its local job. What is null stays
 * as it is.
 *
 * @param cores total number of cores
 * @param priority the order among the waiting jobs of its owner: higher first, 0 for a job that was never altered
 * @param dependency the jobs that must end before it is placed; without conditions: none
 */
public record AlterRequested(
        GlobalJobId job,
        UserName by,
        Instant requestedAt,
        @Nullable String name,
        @Nullable Duration walltime,
        @Nullable Integer cores,
        @Nullable PartitionName partition,
        @Nullable Integer priority,
        @Nullable JobDependency dependency)
        implements SubmissionEvent {

    /** A change that keeps the dependency. */
    public AlterRequested(
            final GlobalJobId job,
            final UserName by,
            final Instant requestedAt,
            final @Nullable String name,
            final @Nullable Duration walltime,
            final @Nullable Integer cores,
            final @Nullable PartitionName partition,
            final @Nullable Integer priority) {
        this(job, by, requestedAt, name, walltime, cores, partition, priority, null);
    }

    /** Whether a placed job can be changed like this. */
    public boolean isOfPlacedJobs() {
        return partition == null && priority == null && dependency == null;
    }

    /** The submission as altered. */
    public JobSubmitted applyTo(final JobSubmitted submission) {
        final JobSpec spec = submission.spec();
        final JobSpec altered = spec.altered(name, cores);
        final JobSpec after = new JobSpec(
                altered.name(),
                spec.script(),
                spec.make(),
                altered.resources(),
                Objects.requireNonNullElse(walltime, spec.walltime()),
                partition == null ? spec.partition() : partition,
                spec.project(),
                spec.environment(),
                spec.checkpoint(),
                spec.strict(),
                spec.arguments());
        final JobDependency others =
                dependency == null ? submission.dependency() : dependency.isNone() ? null : dependency;
        return submission.withSpec(after).withDependency(others);
    }
}
