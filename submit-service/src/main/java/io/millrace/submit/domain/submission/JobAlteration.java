package io.millrace.submit.domain.submission;

import io.millrace.model.PartitionName;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobDependency;
import io.millrace.model.job.JobSpec;
import io.millrace.script.WalltimeText;
import io.millrace.submit.domain.RequestRefused;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Valid new properties of a job. What is null stays as it is. */
public record JobAlteration(
        @Nullable String name,
        @Nullable Duration walltime,
        @Nullable Integer cores,
        @Nullable PartitionName partition,
        @Nullable Integer priority,
        @Nullable JobDependency dependency) {

    /** The word that removes a dependency. */
    private static final String NONE = "none";

    /** The range of priorities, as of {@code qalter -p}. */
    private static final int MAX_PRIORITY = 1024;

    /**
     * @param spec what the job requests now
     * @param jobs for the numbers in the dependency
     * @throws RequestRefused naming every invalid field
     */
    public static JobAlteration validate(
            final JobSpec spec,
            final @Nullable String name,
            final @Nullable String walltime,
            final @Nullable Integer cores,
            final @Nullable String partition,
            final @Nullable Integer priority,
            final @Nullable String dependency,
            final NamedJobs jobs) {
        final ValidationErrors errors = new ValidationErrors();
        if (name == null
                && walltime == null
                && cores == null
                && partition == null
                && priority == null
                && dependency == null) {
            errors.add(
                    "walltime",
                    "is missing, and so is every other change; send name, walltime, cores, partition, priority or"
                            + " dependency",
                    0);
        }
        if (name != null && !JobValidator.isName(name)) {
            errors.add("name", JobValidator.NAME_RULE, 0);
        }
        errors.range("cores", cores, Math.max(1, spec.resources().nodes()), JobValidator.MAX_COUNT);
        errors.range("priority", priority, -MAX_PRIORITY, MAX_PRIORITY - 1L);
        final Duration limit = errors.read("walltime", walltime, WalltimeText::parse);
        final PartitionName queue = errors.read("partition", partition, PartitionName::of);
        final JobDependency after = errors.read(
                "dependency",
                dependency,
                text -> text.equals(NONE)
                        ? new JobDependency(true, List.of())
                        : DependencyValidator.readOfSubmitted(text, jobs));
        errors.throwIfAny();
        return new JobAlteration(name, limit, cores, queue, priority, after);
    }

    public boolean isOnlyWalltime() {
        return name == null && cores == null && partition == null && priority == null && dependency == null;
    }

    /** Whether the job has these properties. */
    public boolean isAppliedTo(final GlobalJob job) {
        final JobSpec spec = job.submission().spec();
        return (name == null || name.equals(spec.name()))
                && (walltime == null || walltime.equals(spec.walltime()))
                && (cores == null || cores == spec.resources().cores())
                && (partition == null || partition.equals(spec.partition()))
                && (dependency == null
                        || Objects.equals(
                                dependency.isNone() ? null : dependency,
                                job.submission().dependency()))
                && (priority == null || priority.equals(Objects.requireNonNullElse(job.priority(), 0)));
    }
}
