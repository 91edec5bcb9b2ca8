package io.millrace.submit.domain.submission;

import io.millrace.model.BatchId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.job.JobDependency;
import io.millrace.script.JobSetting;
import io.millrace.script.directive.Dependencies;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Dependencies between global jobs, in the format of {@code sbatch --dependency}. */
final class DependencyValidator {

    private static final int MAX_CONDITIONS = 1000;

    private DependencyValidator() {}

    /** @throws IllegalArgumentException if it is not a dependency on global jobs */
    static JobDependency read(final String text) {
        return of(Dependencies.read(text));
    }

    /** The dependency that a script names; null if it is on jobs of one cluster, which its workload manager knows. */
    static @Nullable JobDependency ofScript(final JobSetting.Dependency setting, final boolean hasTarget) {
        if (hasTarget && setting.after().stream().noneMatch(after -> Dependencies.isGlobal(after.job()))) {
            return null;
        }
        return of(setting);
    }

    private static JobDependency of(final JobSetting.Dependency setting) {
        if (setting.after().size() > MAX_CONDITIONS) {
            throw new IllegalArgumentException("names " + setting.after().size() + " jobs; the maximum is "
                    + MAX_CONDITIONS + ". Submit the other jobs as a batch and name the batch");
        }
        final List<JobDependency.Condition> conditions =
                setting.after().stream().map(DependencyValidator::condition).toList();
        return new JobDependency(setting.all(), conditions);
    }

    private static JobDependency.Condition condition(final JobSetting.After after) {
        final JobDependency.End end = switch (after.when()) {
            case OK -> JobDependency.End.OK;
            case NOT_OK -> JobDependency.End.NOT_OK;
            case ENDED -> JobDependency.End.ANY;
            case STARTED, SINGLETON ->
                throw new IllegalArgumentException(
                        "global jobs cannot depend on the start or the name of others; use afterok, afternotok or"
                                + " afterany");
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
