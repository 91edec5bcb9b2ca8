package io.millrace.model.view;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as deciders must see it: its newest revision, with every command that no revision shows yet counted as carried out.
 *
 * <p>Cores that a command frees are counted free only when a revision shows them; cores that a command takes are gone at once.
 *
 * @param marker the revision it is based on
 * @param jobs jobs in their assumed states
 * @param idleCores cores that may still be promised; never negative
 */
public record AssumedCluster(RevisionClosed marker, Collection<JobObserved> jobs, int idleCores) {

    /** @throws NullPointerException if no revision of the cluster was closed yet; ask {@link ClusterView#marker()} first */
    public static AssumedCluster of(final ClusterView view, final CommandView commands) {
        final RevisionClosed marker = Objects.requireNonNull(view.marker(), "no revision closed yet");
        final Map<JobKey, JobObserved> jobs = new LinkedHashMap<>();
        view.jobs().forEach(job -> jobs.put(job.job(), job));
        int idle = marker.free().cores();
        for (final Command command : commands.assumed()) {
            idle -= coresTaken(command.action(), jobs);
            assume(command, jobs, marker.control());
        }
        return new AssumedCluster(marker, List.copyOf(jobs.values()), Math.max(0, idle));
    }

    private static int coresTaken(final Action action, final Map<JobKey, JobObserved> jobs) {
        return switch (action) {
            case Action.Start start -> waitingCores(jobs.get(start.job()));
            case Action.Reclaim reclaim -> {
                final int freed = reclaim.victims().stream()
                        .map(jobs::get)
                        .filter(job -> job != null && job.state().occupiesCores())
                        .mapToInt(job -> job.resources().cores())
                        .sum();
                yield Math.max(0, waitingCores(jobs.get(reclaim.beneficiary())) - freed);
            }
            default -> 0;
        };
    }

    private static int waitingCores(final @Nullable JobObserved job) {
        return job != null && job.state().isWaiting() ? job.resources().cores() : 0;
    }

    private static void assume(final Command command, final Map<JobKey, JobObserved> jobs, final Control control) {
        final JobState waiting =
                control == Control.DIRECTED ? new JobState.Held(HoldKind.ENTRY) : new JobState.Queued();
        final JobState running = new JobState.Running(command.issuedAt(), List.of());
        switch (command.action()) {
            case Action.Start start -> put(jobs, start.job(), running, true);
            case Action.Reclaim reclaim -> {
                reclaim.victims().forEach(victim -> put(jobs, victim, waiting, false));
                put(jobs, reclaim.beneficiary(), running, true);
            }
            case Action.Requeue requeue -> put(jobs, requeue.job(), waiting, false);
            case Action.Checkpoint checkpoint -> put(jobs, checkpoint.job(), waiting, false);
            case Action.Release release -> put(jobs, release.job(), waiting, true);
            case Action.Hold hold -> put(jobs, hold.job(), new JobState.Held(HoldKind.ENTRY), true);
            case Action.Cancel cancel -> jobs.remove(cancel.job());
            case Action.Suspend s -> {}
            case Action.Resume r -> {}
            case Action.Signal s -> {}
            case Action.Submit s -> {}
            case Action.Make m -> {}
            case Action.CopyTree c -> {}
            case Action.StopCopy s -> {}
            case Action.AlterWalltime a -> {}
            case Action.SetTier t -> {}
            case Action.SetLimit l -> {}
            case Action.DryRun d -> {}
        }
    }

    /** Sets the assumed state, unless the revision already shows the job on the other side. */
    private static void put(
            final Map<JobKey, JobObserved> jobs, final JobKey key, final JobState state, final boolean fromWaiting) {
        jobs.computeIfPresent(key, (k, job) -> job.state().isWaiting() == fromWaiting ? job.in(state) : job);
    }
}
