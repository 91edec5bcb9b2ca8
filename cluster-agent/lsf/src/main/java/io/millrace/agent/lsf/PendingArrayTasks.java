package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Indices;
import io.millrace.agent.wlm.WaitingArrays;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.ArrayTasks;
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
 * LSF lists every task of an array. Those that wait alike and never ran are one job under the array's own id; a task that once stood on
 * its own, because it ran, was put back, or was held apart from the others, does so until it is over: nobody sees a job vanish that
 * still waits.
 */
final class PendingArrayTasks {

    private final ClusterId cluster;
    private final JobNotes notes;
    private final Set<JobKey> separate = new HashSet<>();

    /** By array, as long as a task of it is listed: how many may run at once, null if they are not limited. */
    private final Map<JobKey, @Nullable Integer> limits = new HashMap<>();

    private final WaitingArrays<ListedJob, ListedJob> arrays = new Arrays();

    /** What tasks that are shown together have in common. */
    private record Alike(
            String status, String queue, @Nullable Duration runLimit) {}

    private final class Arrays implements WaitingArrays<ListedJob, ListedJob> {

        @Override
        public boolean waitsWithOthers(final ListedJob job) {
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
        public Object alike(final ListedJob task) {
            return new Alike(task.status(), task.heading().queue(), task.runLimit());
        }

        @Override
        public ListedJob alone(final ListedJob job) {
            return job;
        }

        @Override
        public ListedJob together(final JobKey array, final List<ListedJob> tasks) {
            return tasks.getFirst()
                    .asGroup(new ArrayTasks(
                            array.id().local(),
                            Indices.write(tasks.stream().map(ListedJob::index).toList()),
                            tasks.size(),
                            limits.get(array)));
        }
    }

    PendingArrayTasks(final ClusterId cluster, final JobNotes notes) {
        this.cluster = cluster;
        this.notes = notes;
    }

    /** The same jobs, with one for those tasks of each array that wait alike. */
    synchronized List<ListedJob> grouped(final List<ListedJob> jobs) {
        return arrays.of(jobs);
    }

    /** Takes note of a picture that was shown. */
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

    /** Arrays among these jobs of which nobody asked yet how many of their tasks may run at once. */
    synchronized boolean hasNewArrays(final Collection<ListedJob> jobs) {
        return jobs.stream().anyMatch(job -> job.groupedTasks() != null && !limits.containsKey(job.key(cluster)));
    }

    /** @param atOnce by id of the array, as far as they are limited */
    synchronized List<ListedJob> withLimits(final List<ListedJob> jobs, final Map<String, Integer> atOnce) {
        return jobs.stream()
                .map(job -> {
                    final ArrayTasks tasks = job.groupedTasks();
                    if (tasks == null) {
                        return job;
                    }
                    limits.put(job.key(cluster), atOnce.get(job.id()));
                    return job.asGroup(
                            new ArrayTasks(tasks.array(), tasks.indices(), tasks.tasks(), atOnce.get(job.id())));
                })
                .toList();
    }

    /** Whether this is the common job of waiting tasks, of which LSF's history knows nothing. */
    synchronized boolean isArray(final JobKey job) {
        return limits.containsKey(job);
    }
}
