package io.millrace.agent.slurm.query;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.wlm.Answer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The jobs of slurmctld, with a row for each pending array task that differs from the rest of its array.
 *
 * <p>squeue merges all pending tasks of an array with the same name and partition into one row, with the attributes of the array, even if a
 * task is held or has another priority. Slurm 23.02 removed {@code --array-unique}, which kept them apart. So if there are pending arrays,
 * a second query finds the tasks that are jobs of their own, in any state, because a task may have started meanwhile. A third one reads
 * those that have no row yet, without their array.
 */
public final class JobListing {

    private final SlurmSite site;
    private final Runner runner;
    private final Supplier<String> nonces;

    public JobListing(final SlurmSite site, final Runner runner, final Supplier<String> nonces) {
        this.site = site;
        this.runner = runner;
        this.nonces = nonces;
    }

    /** The unfinished jobs. */
    public Answer<List<QueuedJob>> queue() {
        return separated(JobQuery.queue(site, nonces.get()));
    }

    /** The unfinished jobs, and the ended ones that slurmctld still keeps. */
    public Answer<List<QueuedJob>> all() {
        return separated(JobQuery.all(site, nonces.get()));
    }

    /** The jobs with these local ids, also ended ones. */
    public Answer<List<QueuedJob>> of(final Collection<String> ids) {
        return separated(JobQuery.of(site, ids, nonces.get()));
    }

    private Answer<List<QueuedJob>> separated(final JobQuery query) {
        return runner.run(query).then(rows -> {
            final List<String> arrays = rows.stream()
                    .filter(QueuedJob::isPending)
                    .filter(QueuedJob::isPartOfArray)
                    .map(row -> row.cell("arrayjobid"))
                    .distinct()
                    .toList();
            return arrays.isEmpty()
                    ? Answer.ok(rows)
                    : runner.run(new SplitTasksQuery(site, arrays, nonces.get()))
                            .map(split -> merged(rows, split))
                            .then(merged -> merged.isEmpty()
                                    ? Answer.ok(rows)
                                    : runner.run(JobQuery.of(site, merged, nonces.get()))
                                            .map(tasks -> separate(rows, tasks, query.withEnded())));
        });
    }

    /** The ids of the tasks without a row of their own. */
    private static List<String> merged(final List<QueuedJob> rows, final List<SplitTasksQuery.SplitTask> split) {
        final Set<String> shown =
                rows.stream().map(row -> row.cell("jobarrayid")).collect(Collectors.toSet());
        return split.stream()
                .filter(task -> !shown.contains(task.jobArrayId()))
                .map(SplitTasksQuery.SplitTask::job)
                .toList();
    }

    /** The rows, with these tasks taken out of the row of their array. */
    static List<QueuedJob> separate(final List<QueuedJob> rows, final List<QueuedJob> tasks, final boolean withEnded) {
        final Map<String, QueuedJob> separate = new LinkedHashMap<>();
        for (final QueuedJob row : rows) {
            row.without(tasks.stream().filter(task -> task.isTaskOf(row)).toList())
                    .ifPresent(rest -> separate.put(rest.rowKey(), rest));
        }
        tasks.stream()
                .filter(task -> withEnded || !JobStates.isEnded(task))
                .forEach(task -> separate.put(task.rowKey(), task));
        return List.copyOf(separate.values());
    }
}
