package io.millrace.backfill.domain.live;

import io.millrace.backfill.domain.job.CheckpointPreemption;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Precondition;
import io.millrace.model.view.CommandView;
import java.time.Instant;
import java.util.List;

/** Writes a cut down: a checkpoint by the job's own method, or a requeue where it has none. */
public final class CheckpointPreemptionCommands {

    private CheckpointPreemptionCommands() {}

    /** What takes the job off its cores. */
    static Action action(final JobObserved job) {
        return job.checkpoint() instanceof CheckpointMethod.None
                ? new Action.Requeue(job.job())
                : new Action.Checkpoint(job.job(), job.checkpoint());
    }

    public static Command of(
            final CheckpointPreemption cut,
            final JobObserved job,
            final RevisionClosed marker,
            final CommandView commands,
            final StartSettings rules,
            final Instant now) {
        final Action action = action(job);
        return new Command(
                Command.idOf(Issuer.BACKFILL, action, commands.tries(Issuer.BACKFILL, action)),
                marker.cluster(),
                Issuer.BACKFILL,
                marker.revision(),
                now,
                now.plus(rules.validity()).plus(job.checkpoint().grace()),
                List.of(new Precondition.JobRuns(cut.job())),
                action,
                cut.reason());
    }
}
