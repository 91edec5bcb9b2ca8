package io.millrace.submit.domain.submission;

import io.millrace.model.BatchId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.job.JobDependency;
import io.millrace.script.JobSetting;
import io.millrace.script.directive.Dependencies;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Dependencies between global jobs, in the format of {@code sbatch --dependency}. */
final class DependencyValidator {

    private static final int MAX_CONDITIONS = 1000;

    private DependencyValidator() {}

    /** @throws IllegalArgumentException if it is not a dependency on global jobs */
    static RequestedDependency read(final String text) {
        return of(Dependencies.read(text));
    }

    /** @throws IllegalArgumentException if it is not a dependency that a submitted job can get */
    static JobDependency readOfSubmitted(final String text) {
        final RequestedDependency read = read(text);
        if (read.dependency() == null || !read.corresponding().isEmpty()) {
            throw new IllegalArgumentException(
                    "aftercorr is only possible at submission; name the jobs with afterok instead");
        }
        return read.dependency();
    }

    /** The dependency that a script names; null if it is on jobs of one cluster, which its workload manager knows. */
    static @Nullable RequestedDependency ofScript(final JobSetting.Dependency setting, final boolean hasTarget) {
        if (hasTarget
                && !Dependencies.isGlobal(setting)
                && setting.after().stream().noneMatch(after -> Dependencies.isGlobal(after.job()))) {
            return null;
        }
        return of(setting);
    }

    private static RequestedDependency of(final JobSetting.Dependency setting) {
        if (setting.after().size() > MAX_CONDITIONS) {
            throw new IllegalArgumentException("names " + setting.after().size() + " jobs; the maximum is "
                    + MAX_CONDITIONS + ". Submit the other jobs as a batch and name the batch");
        }
        final Map<Boolean, List<JobSetting.After>> byKind = setting.after().stream()
                .collect(Collectors.partitioningBy(after -> after.when() == JobSetting.When.CORRESPONDING));
        final List<JobDependency.Condition> conditions = byKind.getOrDefault(false, List.of()).stream()
                .map(DependencyValidator::condition)
                .toList();
        final List<BatchId> corresponding = byKind.getOrDefault(true, List.of()).stream()
                .map(DependencyValidator::corresponding)
                .toList();
        if (!setting.all() && !corresponding.isEmpty()) {
            throw new IllegalArgumentException("aftercorr can be combined with other conditions only by commas (all)");
        }
        return new RequestedDependency(
                conditions.isEmpty() ? null : new JobDependency(setting.all(), conditions), corresponding);
    }

    private static BatchId corresponding(final JobSetting.After after) {
        if (!Dependencies.isGlobal(after.job()) || !BatchId.isBatch(after.job())) {
            throw new IllegalArgumentException(
                    "aftercorr requires the id of a batch; '" + after.job() + "' is not one");
        }
        return BatchId.of(after.job());
    }

    private static JobDependency.Condition condition(final JobSetting.After after) {
        if (after.when() == JobSetting.When.SINGLETON) {
            return JobDependency.Condition.singleton();
        }
        final JobDependency.End end = switch (after.when()) {
            case OK -> JobDependency.End.OK;
            case NOT_OK -> JobDependency.End.NOT_OK;
            case ENDED -> JobDependency.End.ANY;
            case STARTED -> JobDependency.End.STARTED;
            case CORRESPONDING, SINGLETON -> throw new IllegalArgumentException("handled above");
        };
        if (!Dependencies.isGlobal(after.job())) {
            throw new IllegalArgumentException("'" + after.job()
                    + "' is not the id of a global job or batch; a dependency on jobs of one cluster needs 'target'"
                    + " (mgsub --target)");
        }
        return BatchId.isBatch(after.job())
                ? JobDependency.Condition.on(BatchId.of(after.job()), end)
                : JobDependency.Condition.on(GlobalJobId.of(after.job()), end);
    }
}
