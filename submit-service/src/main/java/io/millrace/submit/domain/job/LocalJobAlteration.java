package io.millrace.submit.domain.job;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Precondition;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSpec;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.submission.JobAlteration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The change of a job in the queue of its cluster. As in Slurm, users raise the walltime only while the job waits, and operators raise it at any
 * time. Partition, name and cores are changed only while it waits.
 *
 * @param altered the request with the change, for the limits of the cluster
 * @param preconditions under which the agent makes it
 */
public record LocalJobAlteration(JobObserved local, JobSpec altered, Action action, List<Precondition> preconditions) {

    public LocalJobAlteration {
        preconditions = List.copyOf(preconditions);
    }

    /**
     * @param operator whether an operator changes it
     * @throws RequestRefused if it cannot be changed
     */
    public static LocalJobAlteration of(
            final GlobalJob job,
            final JobObserved local,
            final JobAlteration change,
            final boolean operator,
            final Instant now) {
        final String where = "job " + job.id() + " is " + local.state().word() + " on " + local.cluster();
        if (change.priority() != null || change.dependency() != null) {
            throw conflict(
                    where + "; of a placed job, walltime, partition, name and cores can be changed. Stop it and submit"
                            + " it again");
        }
        final JobSpec spec = job.submission().spec();
        if (change.isOnlyWalltime() && change.walltime() != null) {
            return new LocalJobAlteration(
                    local,
                    spec.withWalltime(change.walltime()),
                    new Action.AlterWalltime(local.job(), change.walltime()),
                    walltimePreconditions(where, local, change.walltime(), operator, now));
        }
        if (change.walltime() != null) {
            throw conflict(where + "; change the walltime of a placed job separately from its name and cores");
        }
        if (!local.state().isWaiting()) {
            throw conflict(where + "; partition, name and cores can be changed only while it waits");
        }
        if (change.partition() != null) {
            if (change.name() != null || change.cores() != null) {
                throw conflict(where + "; change the partition of a placed job separately from its name and cores");
            }
            return new LocalJobAlteration(
                    local,
                    spec.withPartition(change.partition()),
                    new Action.SetPartitions(local.job(), List.of(change.partition())),
                    List.of(new Precondition.JobWaits(local.job())));
        }
        if (change.cores() != null
                && (spec.resources().nodes() > 0
                        || spec.resources().gpus() > 0
                        || spec.resources().memoryMib() > 0)) {
            throw conflict(where
                    + " and requests nodes, memory or GPUs for its cores, so they cannot be changed there. Stop it and"
                    + " submit it again");
        }
        return new LocalJobAlteration(
                local,
                spec.altered(change.name(), change.cores()),
                new Action.AlterPending(local.job(), change.name(), change.cores()),
                List.of(new Precondition.JobWaits(local.job())));
    }

    private static List<Precondition> walltimePreconditions(
            final String where,
            final JobObserved local,
            final Duration walltime,
            final boolean operator,
            final Instant now) {
        final boolean raised = local.walltime() != null && walltime.compareTo(local.walltime()) > 0;
        if (local.state().isWaiting()) {
            return raised && !operator ? List.of(new Precondition.JobWaits(local.job())) : List.of();
        }
        if (!(local.state() instanceof JobState.Running running)) {
            throw conflict(where + "; only a waiting or running job can be changed");
        }
        if (raised && !operator) {
            throw new RequestRefused(
                    RequestRefused.Kind.FORBIDDEN,
                    where + " with a walltime of " + local.walltime() + "; only operators can raise it now");
        }
        final Duration elapsed = Duration.between(running.startedAt(), now);
        if (walltime.compareTo(elapsed) <= 0) {
            throw conflict(where + " for " + elapsed.toMinutes() + " min already, so this walltime would end it; use"
                    + " mgstop to stop it");
        }
        return List.of(new Precondition.JobRuns(local.job()));
    }

    private static RequestRefused conflict(final String reason) {
        return new RequestRefused(RequestRefused.Kind.CONFLICT, reason);
    }
}
