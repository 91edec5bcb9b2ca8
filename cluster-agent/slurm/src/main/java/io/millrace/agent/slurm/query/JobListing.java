package io.millrace.agent.slurm.query;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.wlm.Answer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The jobs of slurmctld, with a row for each pending array task that differs from the rest of its array.
 *
 * <p>squeue merges all pending tasks of an array with the same name and partition into one row, with the attributes of the array, even if a
 * task is held or has another priority. Slurm 23.02 removed {@code --array-unique}, which kept them apart. So if there are pending arrays,
 * a second query finds the tasks that are jobs of their own, and a third one, if there are any, reads these without their array.
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
                            .then(split -> split.isEmpty()
                                    ? Answer.ok(rows)
                                    : runner.run(JobQuery.of(site, split, nonces.get()))
                                            .map(tasks -> separate(rows, tasks)));
        });
    }

    /** The rows, with these tasks taken out of the row of their array. */
    static List<QueuedJob> separate(final List<QueuedJob> rows, final List<QueuedJob> tasks) {
        final Map<String, QueuedJob> separate = new LinkedHashMap<>();
        for (final QueuedJob row : rows) {
            row.without(tasks.stream().filter(task -> task.isTaskOf(row)).toList())
                    .ifPresent(rest -> separate.put(rest.rowKey(), rest));
        }
        tasks.forEach(task -> separate.put(task.rowKey(), task));
        return List.copyOf(separate.values());
    }
}
