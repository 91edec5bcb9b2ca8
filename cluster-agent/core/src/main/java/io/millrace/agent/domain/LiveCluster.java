package io.millrace.agent.domain;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
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
    Optional<JobObserved> jobOf(final AttemptId attempt) {
        return jobs.values().stream()
                .filter(job -> attempt.equals(job.attempt()))
                .findFirst();
    }

    /** The indices of the tasks of an array that are held, in its record or on their own. */
    String heldTasks(final JobKey record) {
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

    /** The cluster with the expected effect of this action: cores of started jobs are taken, cores of ended jobs are not free yet. */
    public LiveCluster after(final Action action, final Instant now) {
        return switch (action) {
            case Action.Start start -> started(start, now).moved(start);
            case Action.Resume resume -> running(resume.job(), now);
            case Action.Reclaim reclaim -> {
                LiveCluster next = this;
                for (final JobKey victim : reclaim.victims()) {
                    final JobObserved job = jobs.get(victim);
                    if (job != null && job.state() instanceof JobState.Running) {
                        next = next.with(victim, new JobState.Completing(), 0);
                    }
                }
                yield next;
            }
            case Action.Requeue requeue -> with(requeue.job(), new JobState.Completing(), 0);
            case Action.Checkpoint c -> this;
            case Action.Cancel cancel -> with(cancel.job(), new JobState.Completing(), 0);
            case Action.Hold hold -> with(hold.job(), new JobState.Held(HoldKind.SUBMISSION), 0);
            case Action.Release release ->
                with(
                        release.job(),
                        control == Control.DIRECTED ? new JobState.Held(HoldKind.ENTRY) : new JobState.Queued(),
                        0);
            case Action.Suspend suspend -> {
                final JobObserved job = jobs.get(suspend.job());
                yield job != null && job.state() instanceof JobState.Running running
                        ? with(suspend.job(), new JobState.Suspended(running.startedAt(), running.nodes()), 0)
                        : this;
            }
            case Action.Signal s -> this;
            case Action.Submit s -> this;
            case Action.Make m -> this;
            case Action.CopyTree c -> this;
            case Action.StopCopy s -> this;
            case Action.RemoveCopy r -> this;
            case Action.AlterWalltime a -> this;
            case Action.AlterPending a -> this;
            case Action.SetTier t -> this;
            case Action.SetPartitions p -> this;
            case Action.SetLimit l -> this;
            case Action.DryRun d -> this;
        };
    }

    private LiveCluster started(final Action.Start start, final Instant now) {
        final JobObserved job = jobs.get(start.job());
        if (job == null) {
            return this;
        }
        return new LiveCluster(
                control,
                ChangedJobs.with(
                        jobs, start.job(), job.startedAs(start.tasks()).in(new JobState.Running(now, List.of()))),
                idleCores - start.count() * job.resources().cores());
    }

    private LiveCluster running(final JobKey key, final Instant now) {
        final JobObserved job = jobs.get(key);
        return job == null
                ? this
                : with(
                        key,
                        new JobState.Running(now, List.of()),
                        job.resources().cores());
    }

    private LiveCluster moved(final Action.Start start) {
        final PartitionName to = start.partition();
        final JobObserved job = jobs.get(start.job());
        return to == null || job == null
                ? this
                : new LiveCluster(control, ChangedJobs.with(jobs, start.job(), job.in(to)), idleCores);
    }

    private LiveCluster with(final JobKey key, final JobState state, final int coresTaken) {
        final JobObserved job = jobs.get(key);
        return job == null
                ? new LiveCluster(control, jobs, idleCores - coresTaken)
                : new LiveCluster(control, ChangedJobs.with(jobs, key, job.in(state)), idleCores - coresTaken);
    }
}
