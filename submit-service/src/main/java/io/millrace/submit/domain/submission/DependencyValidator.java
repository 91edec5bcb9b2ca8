package io.millrace.submit.domain.submission;

import io.millrace.model.BatchId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.job.JobDependency;
import io.millrace.model.job.JobNumber;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.directive.Dependencies;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Dependencies between global jobs, in the format of {@code sbatch --dependency}. */
public final class DependencyValidator {

    private static final int MAX_CONDITIONS = 1000;

    private DependencyValidator() {}

    /**
     * @param jobs for the numbers in the dependency
     * @throws IllegalArgumentException if it is not a dependency on global jobs
     */
    static RequestedDependency read(final String text, final NamedJobs jobs) {
        return of(Dependencies.read(text), jobs);
    }

    /** @throws IllegalArgumentException if it is not a dependency that a submitted job can get */
    static JobDependency readOfSubmitted(final String text, final NamedJobs jobs) {
        final RequestedDependency read = read(text, jobs);
        if (read.dependency() == null || !read.corresponding().isEmpty()) {
            throw new IllegalArgumentException(
                    "aftercorr is only possible at submission; name the jobs with afterok instead");
        }
        return read.dependency();
    }

    /**
     * The dependency that a script names; null if it is on jobs of the target cluster, which its workload manager knows.
     *
     * @param target null: any cluster
     * @throws IllegalArgumentException if it is on jobs of another cluster
     */
    static @Nullable RequestedDependency ofScript(
            final JobSetting.Dependency setting, final @Nullable String target, final NamedJobs jobs) {
        if (target != null
                && !Dependencies.isGlobal(setting)
                && setting.after().stream().noneMatch(after -> Dependencies.isGlobal(after.job()))) {
            setting.after().forEach(after -> requireOn(target, after.job()));
            return null;
        }
        return of(setting, jobs);
    }

    /** Says which numbers of a script that was written for one cluster are jobs of Millrace. */
    public static List<String> notes(final JobRequest request, final ValidJob job) {
        final ScriptOption option = new ScriptDirectives(job.spec()).option(JobSetting.Dependency.class);
        if (request.target() == null
                || request.dependency() != null
                || job.dependency() == null
                || option == null
                || !(option.setting() instanceof JobSetting.Dependency setting)) {
            return List.of();
        }
        return setting.after().stream()
                .map(JobSetting.After::job)
                .filter(named -> JobNumber.of(named).isPresent())
                .distinct()
                .map(number -> option.where() + ": " + number + " is job " + number
                        + " of Millrace; a job of the cluster's own workload manager is written " + request.target()
                        + "/"
                        + number)
                .toList();
    }

    private static void requireOn(final String target, final String job) {
        Dependencies.cluster(job).filter(cluster -> !cluster.equals(target)).ifPresent(cluster -> {
            throw new IllegalArgumentException(
                    "'" + job + "' is a job of cluster '" + cluster + "', but the target is '" + target + "'");
        });
    }

    private static RequestedDependency of(final JobSetting.Dependency setting, final NamedJobs jobs) {
        if (setting.after().size() > MAX_CONDITIONS) {
            throw new IllegalArgumentException("names " + setting.after().size() + " jobs; the maximum is "
                    + MAX_CONDITIONS + ". Submit the other jobs as a batch and name the batch");
        }
        final Map<Boolean, List<JobSetting.After>> byKind = setting.after().stream()
                .collect(Collectors.partitioningBy(after -> after.when() == JobSetting.When.CORRESPONDING));
        final List<JobDependency.Condition> conditions = byKind.getOrDefault(false, List.of()).stream()
                .map(after -> condition(after, jobs))
                .toList();
        final List<BatchId> corresponding = byKind.getOrDefault(true, List.of()).stream()
                .map(after -> corresponding(after, jobs))
                .toList();
        if (!setting.all() && !corresponding.isEmpty()) {
            throw new IllegalArgumentException("aftercorr can be combined with other conditions only by commas (all)");
        }
        return new RequestedDependency(
                conditions.isEmpty() ? null : new JobDependency(setting.all(), conditions), corresponding);
    }

    private static BatchId corresponding(final JobSetting.After after, final NamedJobs jobs) {
        final String id = Dependencies.isGlobal(after.job()) ? jobs.id(after.job()) : after.job();
        if (!BatchId.isBatch(id)) {
            throw new IllegalArgumentException(
                    "aftercorr requires the number or id of a batch; '" + after.job() + "' is not one");
        }
        return BatchId.of(id);
    }

    private static JobDependency.Condition condition(final JobSetting.After after, final NamedJobs jobs) {
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
                    + "' is not the number or id of a job or batch of Millrace; a dependency on jobs of one cluster"
                    + " needs 'target' (mgsub --target)");
        }
        final String id = jobs.id(after.job());
        return BatchId.isBatch(id)
                ? JobDependency.Condition.on(BatchId.of(id), end)
                : JobDependency.Condition.on(GlobalJobId.of(id), end);
    }
}
