package io.millrace.agent.lsf.observe;

import io.millrace.agent.lsf.query.ListedJob;
import io.millrace.agent.wlm.PendingArrays;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.array.ArrayTasks;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Groups pending array tasks. LSF lists every task of an array. Tasks that never ran and are pending alike are shown as one job under the
 * array id. A task that was shown separately, because it ran, was requeued or was held separately, stays separate until it ends, so that no
 * pending job disappears.
 */
public final class PendingArrayTasks {

    private final ClusterId cluster;
    private final JobNotes notes;
    private final Set<JobKey> separate = new HashSet<>();

    /** Slot limit by array, while a task of it is listed; null if not limited. */
    private final Map<JobKey, @Nullable Integer> limits = new HashMap<>();

    private final PendingArrays<ListedJob, ListedJob> arrays = new Arrays();

    /** What grouped tasks have in common. */
    private record SharedState(
            String status, String queue, @Nullable Duration runLimit, ListedJob.Dependency dependency) {}

    private final class Arrays implements PendingArrays<ListedJob, ListedJob> {

        @Override
        public boolean isGroupable(final ListedJob job) {
            final JobKey key = job.key(cluster);
            return job.index() > 0
                    && job.isWaiting()
                    && job.started() == null
                    && job.attempt() == null
                    && notes.of(key).isEmpty()
                    && !separate.contains(key);
        }

        @Override
        public JobKey array(final ListedJob task) {
            return task.keyOfArray(cluster);
        }

        @Override
        public int index(final ListedJob task) {
            return task.index();
        }

        @Override
        public Object groupKey(final ListedJob task) {
            return new SharedState(task.status(), task.heading().queue(), task.runLimit(), task.dependency());
        }

        @Override
        public ListedJob single(final ListedJob job) {
            return job;
        }

        @Override
        public ListedJob group(final JobKey array, final List<ListedJob> tasks) {
            return tasks.getFirst()
                    .asGroup(new ArrayTasks(
                            array.id().local(),
                            ArrayIndices.write(
                                    tasks.stream().map(ListedJob::index).toList()),
                            tasks.size(),
                            limits.get(array)));
        }
    }

    public PendingArrayTasks(final ClusterId cluster, final JobNotes notes) {
        this.cluster = cluster;
        this.notes = notes;
    }

    /** The jobs, with one entry for the tasks of each array that are pending alike. */
    synchronized List<ListedJob> grouped(final List<ListedJob> jobs) {
        return arrays.of(jobs);
    }

    /** Records the jobs of a snapshot. */
    synchronized void published(final Collection<ListedJob> jobs) {
        final Set<JobKey> listed = jobs.stream().map(job -> job.key(cluster)).collect(Collectors.toSet());
        separate.retainAll(listed);
        jobs.stream()
                .filter(job -> job.index() > 0 && !job.hasEnded())
                .map(job -> job.key(cluster))
                .forEach(separate::add);
        limits.keySet()
                .retainAll(jobs.stream().map(job -> job.keyOfArray(cluster)).collect(Collectors.toSet()));
    }

    /** Whether the slot limit of an array among these jobs is not known yet. */
    synchronized boolean hasNewArrays(final Collection<ListedJob> jobs) {
        return jobs.stream().anyMatch(job -> job.groupedTasks() != null && !limits.containsKey(job.key(cluster)));
    }

    /** @param slotLimits slot limit by array id, for limited arrays */
    synchronized List<ListedJob> withLimits(final List<ListedJob> jobs, final Map<String, Integer> slotLimits) {
        return jobs.stream()
                .map(job -> {
                    final ArrayTasks tasks = job.groupedTasks();
                    if (tasks == null) {
                        return job;
                    }
                    limits.put(job.key(cluster), slotLimits.get(job.id()));
                    return job.asGroup(
                            new ArrayTasks(tasks.array(), tasks.indices(), tasks.tasks(), slotLimits.get(job.id())));
                })
                .toList();
    }

    /** Whether this is a group of pending tasks, which the LSF history does not contain. */
    public synchronized boolean isArray(final JobKey job) {
        return limits.containsKey(job);
    }
}
