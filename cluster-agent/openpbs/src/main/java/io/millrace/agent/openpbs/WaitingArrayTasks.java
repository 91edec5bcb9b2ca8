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
final class WaitingArrayTasks {

    private final ClusterId cluster;
    private final Set<JobKey> reportedAlone = new HashSet<>();

    /** What tasks that are shown together have in common; those beyond a slot limit wait with the others. */
    private record GroupKey(JobState state, String comment, String queue) {}

    private final class Grouping implements WaitingArrays<TorqueJob, ReportedJob> {

        private final Control control;
        private final Instant now;

        private Grouping(final Control control, final Instant now) {
            this.control = control;
            this.now = now;
        }

        @Override
        public boolean waitsWithOthers(final TorqueJob job) {
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
        public Object alike(final TorqueJob task) {
            return new GroupKey(
                    JobStates.of(task, control), task.comment(), task.object().get("queue", ""));
        }

        @Override
        public ReportedJob alone(final TorqueJob job) {
            return ReportedJob.of(job);
        }

        @Override
        public ReportedJob together(final JobKey array, final List<TorqueJob> tasks) {
            return ReportedJob.of(tasks, now);
        }
    }

    WaitingArrayTasks(final ClusterId cluster) {
        this.cluster = cluster;
    }

    /** The jobs that these are, one for those tasks of each array that wait alike. */
    synchronized List<ReportedJob> group(final List<TorqueJob> jobs, final Control control, final Instant now) {
        return new Grouping(control, now).of(jobs);
    }

    /** Takes note of a picture that was shown. */
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
