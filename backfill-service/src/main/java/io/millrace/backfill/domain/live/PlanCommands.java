package io.millrace.backfill.domain.live;

import io.millrace.backfill.domain.job.CheckpointPreemption;
import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.Start;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Precondition;
import io.millrace.model.view.CommandView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Builds the commands of a plan, with the preconditions that the agent checks.
 *
 * @param marker the revision that the plan is based on
 * @param commands earlier commands, from which follow the ids of new ones
 */
public record PlanCommands(RevisionClosed marker, CommandView commands, StartSettings settings, Instant now) {

    public Command start(final Start start) {
        final QueuedJob job = start.job();
        final Action action = new Action.Start(job.job(), job.startsInOtherPartition() ? job.partition() : null);
        return command(
                action,
                Duration.ZERO,
                List.of(new Precondition.JobWaits(job.job()), new Precondition.IdleCores(job.cores())),
                start.reason());
    }

    public Command preempt(final CheckpointPreemption preemption, final JobObserved job) {
        return command(
                preemptionOf(job),
                job.checkpoint().grace(),
                List.of(new Precondition.JobRuns(preemption.job())),
                preemption.reason());
    }

    /** A checkpoint by the job's own method, or a requeue if it has none. */
    static Action preemptionOf(final JobObserved job) {
        return job.checkpoint() instanceof CheckpointMethod.None
                ? new Action.Requeue(job.job())
                : new Action.Checkpoint(job.job(), job.checkpoint());
    }

    private Command command(
            final Action action, final Duration grace, final List<Precondition> preconditions, final String reason) {
        return new Command(
                Command.idOf(Issuer.BACKFILL, action, commands.tries(Issuer.BACKFILL, action)),
                marker.cluster(),
                Issuer.BACKFILL,
                marker.revision(),
                now,
                now.plus(settings.validity()).plus(grace),
                preconditions,
                action,
                reason);
    }
}
