package io.millrace.quota.domain.reclaim;

import io.millrace.decide.FreeNodeCapacity;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Precondition;
import io.millrace.quota.domain.view.CommandFactory;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.domain.view.QuotaView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * resumes suspended victims, oldest first, when cores on their nodes are idle that no job within quota will use. Jobs that someone
 * else suspended are not resumed.
 */
public final class ResumePlanner {

    private static final Comparator<JobObserved> OLDEST_FIRST =
            Comparator.comparing(JobObserved::job, JobKey.BY_SUBMISSION);

    private final QuotaView view;
    private final CommandFactory factory;
    private final FreeNodeCapacity capacity;
    private final List<Command> commands = new ArrayList<>();
    private int idle;

    /** @param idle idle cores that are not reserved
     * @param capacity the same by node; modified */
    public ResumePlanner(
            final QuotaView view,
            final QuotaPolicy policy,
            final int idle,
            final FreeNodeCapacity capacity,
            final Instant now) {
        this.view = view;
        this.factory = new CommandFactory(view, policy, now);
        this.idle = idle;
        this.capacity = capacity;
    }

    public List<Command> commands() {
        final RevisionClosed marker = view.assumed().marker();
        if (!marker.capabilities().contains(Capability.SUSPEND) || marker.health() instanceof WlmHealth.Stale) {
            return List.of();
        }
        view.assumed().jobs().stream()
                .filter(job -> view.suspendedVictims().contains(job.job()))
                .filter(job -> job.state() instanceof JobState.Suspended)
                .filter(job -> view.lockOf(job.owner()).isEmpty())
                .sorted(OLDEST_FIRST)
                .forEach(job -> consider(job, (JobState.Suspended) job.state()));
        return commands;
    }

    private void consider(final JobObserved job, final JobState.Suspended suspended) {
        final int cores = job.resources().cores();
        final Action action = new Action.Resume(job.job());
        if (cores > idle
                || !capacity.hasCoresOn(job.resources(), suspended.nodes())
                || factory.isPending(action)
                || factory.backOff(action).isPresent()) {
            return;
        }
        idle -= cores;
        capacity.takeBack(Resources.cores(cores), suspended.nodes());
        commands.add(factory.command(
                action,
                List.of(new Precondition.IdleCores(cores)),
                "it was suspended for another job; " + (idle + cores)
                        + " idle cores are not needed by jobs within quota, and it needs " + cores));
    }
}
