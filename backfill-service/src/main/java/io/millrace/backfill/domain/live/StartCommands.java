package io.millrace.backfill.domain.live;

import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.Start;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Precondition;
import io.millrace.model.view.CommandView;
import java.time.Instant;
import java.util.List;

/** Writes a start down, with everything that must still be true when the agent carries it out. */
public final class StartCommands {

    private StartCommands() {}

    public static Command of(
            final Start start,
            final RevisionClosed marker,
            final CommandView commands,
            final StartSettings rules,
            final Instant now) {
        final QueuedJob job = start.job();
        final Action action = new Action.Start(job.job(), job.startsInOtherPartition() ? job.partition() : null);
        return new Command(
                Command.idOf(Issuer.BACKFILL, action, commands.tries(Issuer.BACKFILL, action)),
                marker.cluster(),
                Issuer.BACKFILL,
                marker.revision(),
                now,
                now.plus(rules.validity()),
                List.of(new Precondition.JobWaits(job.job()), new Precondition.IdleCores(job.cores())),
                action,
                start.reason());
    }
}
