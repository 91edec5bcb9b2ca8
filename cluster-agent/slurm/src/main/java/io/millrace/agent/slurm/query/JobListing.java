package io.millrace.agent.slurm.query;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.wlm.Answer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The jobs of slurmctld, with a row for each pending array task that differs from the rest of its array.
 *
 * <p>squeue merges all pending tasks of an array with the same name and partition into one row, with the attributes of the array, even if a
 * task is held or has another priority. Slurm 23.02 removed {@code --array-unique}, which kept them apart. So if there are pending arrays,
 * a second query finds the tasks that are jobs of their own, in any state, because a task may have started meanwhile. A third one reads
 * those that have no row yet, without their array.
 */
public final class JobListing {

    private static final int IDS_AT_ONCE = 2_000;

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
                    .filter(QueuedJob::isPendingArray)
                    .map(row -> row.cell("arrayjobid"))
                    .distinct()
                    .toList();
            return inParts(arrays, some -> new SplitTasksQuery(site, some, nonces.get()))
                    .then(split -> inParts(merged(rows, split), some -> JobQuery.of(site, some, nonces.get())))
                    .map(tasks -> separate(rows, tasks, query.withEnded()));
        });
    }

    /** The answers of one query for each part of the ids, because Linux limits an argument to 128 KiB; without ids no query is made. */
    private <T> Answer<List<T>> inParts(
            final List<String> ids, final Function<List<String>, CommandLine<List<T>>> query) {
        Answer<List<T>> all = Answer.ok(List.of());
        for (int from = 0; from < ids.size(); from += IDS_AT_ONCE) {
            final List<String> some = ids.subList(from, Math.min(ids.size(), from + IDS_AT_ONCE));
            all = all.then(before -> runner.run(query.apply(some))
                    .map(found -> Stream.concat(before.stream(), found.stream()).toList()));
        }
        return all;
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
        final Map<String, List<QueuedJob>> byArray =
                tasks.stream().collect(Collectors.groupingBy(task -> task.cell("arrayjobid")));
        final Map<String, QueuedJob> separate = new LinkedHashMap<>();
        for (final QueuedJob row : rows) {
            final List<QueuedJob> ofArray =
                    row.isPendingArray() ? byArray.getOrDefault(row.cell("arrayjobid"), List.of()) : List.of();
            row.without(ofArray).ifPresent(rest -> separate.put(rest.rowKey(), rest));
        }
        tasks.stream()
                .filter(task -> withEnded || !JobStates.isEnded(task))
                .forEach(task -> separate.put(task.rowKey(), task));
        return List.copyOf(separate.values());
    }
}
