package io.millrace.agent.domain;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.command.Action;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as observed last, with the expected effects of commands since then.
 *
 * @param idleCores cores of nodes that are up and not allocated
 */
public record LiveCluster(Control control, Map<JobKey, JobObserved> jobs, int idleCores) {

    public LiveCluster {
        jobs = jobs instanceof ChangedJobs ? jobs : Map.copyOf(jobs);
    }

    public static LiveCluster of(
            final Control control, final Collection<JobObserved> observed, final Collection<NodeObserved> nodes) {
        final Map<JobKey, JobObserved> jobs = new LinkedHashMap<>();
        observed.forEach(job -> jobs.put(job.job(), job));
        final int idle = nodes.stream()
                .filter(node -> node.availability() == NodeObserved.Availability.UP)
                .mapToInt(node -> node.free().cores())
                .sum();
        return new LiveCluster(control, jobs, idle);
    }

    public @Nullable JobObserved job(final JobKey key) {
        return jobs.get(key);
    }

    /** Cores of the owner's running jobs; a job that is being preempted does not count. */
    public int coresUsedBy(final UserName owner) {
        return jobs.values().stream()
                .filter(job -> job.owner().equals(owner) && job.state() instanceof JobState.Running)
                .mapToInt(job -> job.tasks() * job.resources().cores())
                .sum();
    }

    /** A job in the queue with this tag. */
    public Optional<JobObserved> jobOf(final AttemptId attempt) {
        return jobs.values().stream()
                .filter(job -> attempt.equals(job.attempt()))
                .findFirst();
    }

    /** The indices of the tasks of an array that are held, in its record or on their own. */
    public String heldTasks(final JobKey record) {
        return tasks(record, job -> job.state() instanceof JobState.Held);
    }

    /** The same of those that wait, held or not. */
    public String waitingTasks(final JobKey record) {
        return tasks(record, job -> job.state().isWaiting());
    }

    private String tasks(final JobKey record, final Predicate<JobObserved> some) {
        return ArrayIndices.write(jobs.values().stream()
                .filter(some)
                .map(job -> job.detail().array())
                .filter(array ->
                        array != null && array.array().equals(record.id().local()) && array.isReadable())
                .flatMap(array -> ArrayIndices.read(array.indices()).boxed())
                .toList());
    }

    /** The cluster after this start: the job runs on cores that were idle, in the partition that the start names. */
    public LiveCluster started(final Action.Start start, final Instant now) {
        final JobObserved job = jobs.get(start.job());
        if (job == null) {
            return this;
        }
        final JobObserved running = job.startedAs(start.tasks()).in(new JobState.Running(now, List.of()));
        final PartitionName to = start.partition();
        return new LiveCluster(
                control,
                ChangedJobs.with(jobs, start.job(), to == null ? running : running.in(to)),
                idleCores - start.count() * job.resources().cores());
    }

    /** The cluster with this job in another state, and with the same idle cores. */
    public LiveCluster with(final JobKey key, final JobState state) {
        return with(key, state, 0);
    }

    /** The cluster with this job in another state, for which it takes idle cores. */
    public LiveCluster with(final JobKey key, final JobState state, final int coresTaken) {
        final JobObserved job = jobs.get(key);
        return job == null
                ? this
                : new LiveCluster(control, ChangedJobs.with(jobs, key, job.in(state)), idleCores - coresTaken);
    }
}
