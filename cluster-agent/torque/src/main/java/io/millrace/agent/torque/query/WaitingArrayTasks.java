package io.millrace.agent.torque.query;

import io.millrace.agent.wlm.PendingArrays;
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
 * Groups array tasks. Torque lists every task of an array. Tasks that wait in the same state and never ran are reported as one job
 * under the array's id. A task that was once reported under its own id stays so until it ends, so that no task seems to disappear
 * while it waits.
 */
public final class WaitingArrayTasks {

    private final ClusterId cluster;
    private final Set<JobKey> reportedAlone = new HashSet<>();

    /** What the tasks of a group have in common. Tasks beyond the slot limit belong to the group. */
    private record GroupKey(JobState state, String comment, String queue) {}

    private final class Grouping implements PendingArrays<TorqueJob, ReportedJob> {

        private final Control control;
        private final Instant now;

        private Grouping(final Control control, final Instant now) {
            this.control = control;
            this.now = now;
        }

        @Override
        public boolean isGroupable(final TorqueJob job) {
            return ReportedJob.isTask(job)
                    && job.stateLetter().matches("[QHW]")
                    && job.restarts() == 0
                    && !job.hasStarted()
                    && JobVariables.attempt(job.variables()) == null
                    && !reportedAlone.contains(job.key(cluster));
        }

        @Override
        public JobKey array(final TorqueJob task) {
            return ReportedJob.keyOfArray(task, cluster);
        }

        @Override
        public int index(final TorqueJob task) {
            return ReportedJob.index(task);
        }

        @Override
        public Object groupKey(final TorqueJob task) {
            return new GroupKey(
                    JobStates.of(task, control), task.comment(), task.object().get("queue", ""));
        }

        @Override
        public ReportedJob single(final TorqueJob job) {
            return ReportedJob.of(job);
        }

        @Override
        public ReportedJob group(final JobKey array, final List<TorqueJob> tasks) {
            return ReportedJob.of(tasks, now);
        }
    }

    public WaitingArrayTasks(final ClusterId cluster) {
        this.cluster = cluster;
    }

    /** The reported jobs: one per group of waiting tasks, and all other jobs. */
    synchronized List<ReportedJob> group(final List<TorqueJob> jobs, final Control control, final Instant now) {
        return new Grouping(control, now).of(jobs);
    }

    /** Records what was reported. */
    synchronized void recordReported(final Collection<ReportedJob> jobs) {
        reportedAlone.clear();
        jobs.stream()
                .filter(one -> !one.isArray()
                        && ReportedJob.isTask(one.job())
                        && !one.job().isCompleted())
                .map(one -> one.key(cluster))
                .forEach(reportedAlone::add);
    }
}
