package io.millrace.agent.openpbs;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Torque lists every task of an array. Those that wait alike and never ran are one job under the array's id; a task that once stood on
 * its own does so until it is over, so that none seems to vanish while it waits.
 */
final class WaitingTasks {

    private final ClusterId cluster;
    private final Set<JobKey> apart = new HashSet<>();

    /** What tasks that are shown together have in common; those beyond a slot limit wait with the others. */
    private record Alike(JobState state, String comment, String queue) {

        static Alike of(final QueuedJob task, final Control control) {
            return new Alike(
                    JobStates.of(task, control), task.comment(), task.told().get("queue", ""));
        }
    }

    WaitingTasks(final ClusterId cluster) {
        this.cluster = cluster;
    }

    /** The jobs that these are; of an array whose tasks wait in several ways, the most of them are one. */
    synchronized List<ShownJob> together(final List<QueuedJob> jobs, final Control control, final Instant now) {
        final Map<JobKey, List<QueuedJob>> arrays = new LinkedHashMap<>();
        for (final QueuedJob job : jobs) {
            if (waitsWithOthers(job)) {
                arrays.computeIfAbsent(ShownJob.keyOfArray(job, cluster), key -> new ArrayList<>())
                        .add(job);
            }
        }
        final Map<String, ShownJob> standsFor = new LinkedHashMap<>();
        arrays.values().forEach(tasks -> {
            final List<QueuedJob> most = most(tasks, control);
            final ShownJob one = ShownJob.of(most, now);
            most.forEach(task -> standsFor.put(task.localId(), one));
        });
        final Set<ShownJob> shown = new java.util.LinkedHashSet<>();
        jobs.forEach(job -> {
            final ShownJob one = standsFor.get(job.localId());
            shown.add(one == null ? ShownJob.of(job) : one);
        });
        return List.copyOf(shown);
    }

    private boolean waitsWithOthers(final QueuedJob job) {
        return ShownJob.isTask(job)
                && job.letter().matches("[QHW]")
                && job.restarts() == 0
                && !job.hasBegun()
                && Tags.attempt(job.variables()) == null
                && !apart.contains(job.key(cluster));
    }

    private static List<QueuedJob> most(final List<QueuedJob> tasks, final Control control) {
        final Map<Alike, List<QueuedJob>> alike = tasks.stream()
                .collect(Collectors.groupingBy(
                        task -> Alike.of(task, control), LinkedHashMap::new, Collectors.toList()));
        return alike.values().stream().reduce((a, b) -> b.size() > a.size() ? b : a).orElseThrow().stream()
                .sorted(Comparator.comparingInt(ShownJob::index))
                .toList();
    }

    /** Takes note of a picture that was shown. */
    synchronized void shown(final Collection<ShownJob> jobs) {
        apart.clear();
        jobs.stream()
                .filter(one -> !one.isArray()
                        && ShownJob.isTask(one.job())
                        && !one.job().isCompleted())
                .map(one -> one.key(cluster))
                .forEach(apart::add);
    }
}
