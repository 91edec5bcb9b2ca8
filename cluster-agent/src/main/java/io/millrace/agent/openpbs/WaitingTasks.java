package io.millrace.agent.openpbs;

import io.millrace.agent.wlm.WaitingArrays;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobState;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Torque lists every task of an array. Those that wait alike and never ran are one job under the array's id; a task that once stood on
 * its own does so until it is over, so that none seems to vanish while it waits.
 */
final class WaitingTasks {

    private final ClusterId cluster;
    private final Set<JobKey> apart = new HashSet<>();

    /** What tasks that are shown together have in common; those beyond a slot limit wait with the others. */
    private record Alike(JobState state, String comment, String queue) {}

    private final class Arrays implements WaitingArrays<QueuedJob, ShownJob> {

        private final Control control;
        private final Instant now;

        private Arrays(final Control control, final Instant now) {
            this.control = control;
            this.now = now;
        }

        @Override
        public boolean waitsWithOthers(final QueuedJob job) {
            return ShownJob.isTask(job)
                    && job.letter().matches("[QHW]")
                    && job.restarts() == 0
                    && !job.hasBegun()
                    && Tags.attempt(job.variables()) == null
                    && !apart.contains(job.key(cluster));
        }

        @Override
        public JobKey array(final QueuedJob task) {
            return ShownJob.keyOfArray(task, cluster);
        }

        @Override
        public int index(final QueuedJob task) {
            return ShownJob.index(task);
        }

        @Override
        public Object alike(final QueuedJob task) {
            return new Alike(
                    JobStates.of(task, control), task.comment(), task.told().get("queue", ""));
        }

        @Override
        public ShownJob alone(final QueuedJob job) {
            return ShownJob.of(job);
        }

        @Override
        public ShownJob together(final JobKey array, final List<QueuedJob> tasks) {
            return ShownJob.of(tasks, now);
        }
    }

    WaitingTasks(final ClusterId cluster) {
        this.cluster = cluster;
    }

    /** The jobs that these are, one for those tasks of each array that wait alike. */
    synchronized List<ShownJob> together(final List<QueuedJob> jobs, final Control control, final Instant now) {
        return new Arrays(control, now).of(jobs);
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
