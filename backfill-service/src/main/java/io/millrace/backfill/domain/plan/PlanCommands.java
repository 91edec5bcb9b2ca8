package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.CheckpointPreemption;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.Start;
import io.millrace.decide.CommandView;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Precondition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Builds the commands of a plan, with the preconditions that the agent checks.
 *
 * @param marker the revision that the plan is based on
 * @param commands earlier commands, from which follow the ids of new ones
 */
public record PlanCommands(RevisionClosed marker, CommandView commands, Instant now) {

    /** How long a start command may wait for its agent. */
    private static final Duration VALIDITY = Duration.ofMinutes(1);

    /** @param starts of one job: several if that many tasks of its array start */
    public Command start(final List<Start> starts) {
        final Start first = starts.getFirst();
        final QueuedJob job = first.job();
        return command(
                action(job, starts.size()),
                Duration.ZERO,
                List.of(new Precondition.JobWaits(job.job()), new Precondition.IdleCores(starts.size() * job.cores())),
                starts.size() == 1 ? first.reason() : first.reason() + "; " + starts.size() + " tasks of this array");
    }

    private static Action action(final QueuedJob job, final int count) {
        final ArrayTasks tasks = job.tasks();
        if (job.startsInOtherPartition()) {
            return new Action.Start(job.job(), job.partition());
        }
        return tasks == null
                ? new Action.Start(job.job())
                : Action.Start.tasks(job.job(), tasks.first(count).indices());
    }

    public Command preempt(final CheckpointPreemption preemption, final JobObserved job) {
        return command(
                CheckpointPreemption.actionFor(job),
                job.checkpoint().grace(),
                List.of(new Precondition.JobRuns(preemption.job())),
                preemption.reason());
    }

    private Command command(
            final Action action, final Duration grace, final List<Precondition> preconditions, final String reason) {
        return new Command(
                commands.nextId(action),
                marker.cluster(),
                Issuer.BACKFILL,
                marker.revision(),
                now,
                now.plus(VALIDITY).plus(grace),
                preconditions,
                action,
                reason);
    }
}
