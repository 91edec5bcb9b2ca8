package io.millrace.quota.domain;

import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Precondition;
import io.millrace.model.view.NodeRoom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * a job that was suspended for another goes on, the oldest first, when cores on its nodes are idle that no job within quota will
 * start on. What somebody else has suspended is left alone.
 */
final class Resumptions {

    private static final Comparator<JobObserved> OLDEST_FIRST =
            Comparator.comparing(JobObserved::job, JobKey.BY_SUBMISSION);

    private final QuotaView view;
    private final QuotaPolicy policy;
    private final Instant now;
    private final NodeRoom room;
    private final List<Command> commands = new ArrayList<>();
    private int idle;

    /** @param idle cores that are promised to nobody, also in {@code room}, which is changed */
    Resumptions(
            final QuotaView view, final QuotaPolicy policy, final int idle, final NodeRoom room, final Instant now) {
        this.view = view;
        this.policy = policy;
        this.idle = idle;
        this.room = room;
        this.now = now;
    }

    List<Command> commands() {
        final RevisionClosed marker = view.assumed().marker();
        if (!marker.capabilities().contains(Capability.SUSPEND) || marker.health() instanceof WlmHealth.Stale) {
            return List.of();
        }
        view.assumed().jobs().stream()
                .filter(job -> view.setAside().contains(job.job()))
                .filter(job -> job.state() instanceof JobState.Suspended)
                .sorted(OLDEST_FIRST)
                .forEach(job -> consider(job, (JobState.Suspended) job.state()));
        return commands;
    }

    private void consider(final JobObserved job, final JobState.Suspended stands) {
        final int cores = job.resources().cores();
        final Action action = new Action.Resume(job.job());
        if (cores > idle || !room.hasCoresOn(job.resources(), stands.nodes()) || isRestingOrUnderWay(action)) {
            return;
        }
        idle -= cores;
        room.takeBack(Resources.cores(cores), stands.nodes());
        final RevisionClosed marker = view.assumed().marker();
        commands.add(new Command(
                Command.idOf(Issuer.QUOTA, action, view.commands().tries(Issuer.QUOTA, action)),
                marker.cluster(),
                Issuer.QUOTA,
                marker.revision(),
                now,
                now.plus(policy.validity()),
                List.of(new Precondition.IdleCores(cores)),
                action,
                "it was suspended to make room; " + (idle + cores)
                        + " cores are idle that no job within quota waits for, and it needs " + cores));
    }

    private boolean isRestingOrUnderWay(final Action action) {
        return view.commands().isUnanswered(Issuer.QUOTA, action)
                || policy.retry()
                        .pause(
                                view.commands(),
                                Issuer.QUOTA,
                                action,
                                view.assumed().marker(),
                                now)
                        .isPresent();
    }
}
