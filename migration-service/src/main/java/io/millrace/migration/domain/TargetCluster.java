package io.millrace.migration.domain;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.view.AssumedCluster;
import io.millrace.model.view.ClusterView;
import io.millrace.model.view.CommandView;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The state of one cluster: its newest revision, the commands issued to it, and the local jobs that carry the tag of an attempt. */
public final class TargetCluster {

    private static final Comparator<JobKey> OLDEST_FIRST =
            Comparator.comparing(JobKey::submittedAt).thenComparing(JobKey::toString);

    private final ClusterView view;
    private final CommandView commands = new CommandView();
    private final CommandTracker orders = new CommandTracker();
    private final Map<AttemptId, Set<JobKey>> tagged = new HashMap<>();
    private final Set<AttemptId> changed = new HashSet<>();

    TargetCluster(final ClusterId id) {
        view = new ClusterView(id);
    }

    public ClusterId id() {
        return view.cluster();
    }

    /** Returns true if the event closed a revision. */
    public boolean observed(final ClusterStateEvent event) {
        if (event instanceof JobObserved job && job.attempt() != null) {
            tagged.computeIfAbsent(job.attempt(), a -> new TreeSet<>(OLDEST_FIRST))
                    .add(job.job());
            changed.add(job.attempt());
        }
        if (!view.apply(event)) {
            return false;
        }
        commands.included(revision().commandsIncluded());
        final Set<JobKey> gone = Set.copyOf(view.takeGone());
        if (!gone.isEmpty()) {
            tagged.values().removeIf(jobs -> jobs.removeAll(gone) && jobs.isEmpty());
        }
        return true;
    }

    public void vanished(final String key) {
        view.remove(key);
    }

    public void issued(final Command command, final long offset) {
        commands.apply(command, offset);
        orders.issued(command);
    }

    public void answered(final Outcome outcome) {
        commands.apply(outcome);
        orders.answered(outcome);
    }

    void forgetBefore(final Instant now) {
        commands.forgetBefore(now);
        orders.forgetBefore(now);
    }

    CommandStatus status(final Action action) {
        return orders.status(action);
    }

    /** Creates a command based on the newest revision and records it as issued. */
    public Command issue(final NextStep.Issue order, final MigrationPolicy policy, final Instant now) {
        final Command command = new Command(
                orders.nextId(order.action(), order.anchor(), now),
                id(),
                Issuer.MIGRATION,
                revision().revision(),
                now,
                now.plus(policy.commandValidity()),
                order.preconditions(),
                order.action(),
                order.reason());
        issued(command, CommandView.NOT_YET_KNOWN);
        return command;
    }

    /** The tags of jobs observed since the last call. */
    public Set<AttemptId> takeChanged() {
        final Set<AttemptId> taken = Set.copyOf(changed);
        changed.clear();
        return taken;
    }

    Map<AttemptId, Set<JobKey>> tagged() {
        return tagged;
    }

    /** The oldest job of the newest revision with this tag. */
    Optional<JobKey> oldestTagged(final AttemptId attempt) {
        return tagged.getOrDefault(attempt, Set.of()).stream()
                .filter(job -> view.job(job) != null)
                .findFirst();
    }

    @Nullable
    JobObserved job(final JobKey key) {
        return view.job(key);
    }

    boolean hasSubmissionHold(final JobKey key) {
        final JobObserved job = view.job(key);
        return job != null && job.state().equals(new JobState.Held(HoldKind.SUBMISSION));
    }

    @Nullable
    RevisionClosed marker() {
        return view.marker();
    }

    ClusterView view() {
        return view;
    }

    AssumedCluster assumed() {
        return AssumedCluster.of(view, commands);
    }

    /** The resources of the cluster when all its nodes are up. */
    Resources capacity() {
        final Resources all = view.nodes().stream().map(node -> node.total()).reduce(Resources.NONE, Resources::plus);
        final Resources up = revision().total();
        return all.cores() > up.cores() ? all : up;
    }

    /** Why no decision about this cluster is possible now; empty if its newest revision is fresh. */
    public Optional<Veto> unavailability(final MigrationPolicy policy, final Instant now) {
        final RevisionClosed marker = view.marker();
        if (marker == null) {
            return Optional.of(VetoCode.CLUSTER_NOT_OBSERVED.veto(
                    id() + ": no revision has been read yet; check that its agent is running"));
        }
        if (marker.observedAt().plus(policy.unavailableAfter()).isBefore(now)) {
            return Optional.of(VetoCode.AGENT_SILENT.veto(id() + ": its agent has not reported since "
                    + marker.observedAt() + "; the state of its jobs is unknown until the agent returns"));
        }
        if (marker.health() instanceof WlmHealth.Stale stale) {
            return Optional.of(VetoCode.CLUSTER_STALE.veto(id() + ": its workload manager has not answered since "
                    + stale.lastAnsweredAt() + ": " + stale.reason()));
        }
        return Optional.empty();
    }

    /** When the newest revision becomes too old for decisions; empty if it already is, or if there is none. */
    public Optional<Instant> silentAt(final MigrationPolicy policy, final Instant now) {
        return Optional.ofNullable(view.marker())
                .map(marker ->
                        marker.observedAt().plus(policy.unavailableAfter()).plusMillis(1))
                .filter(from -> from.isAfter(now));
    }

    private RevisionClosed revision() {
        final RevisionClosed marker = view.marker();
        if (marker == null) {
            throw new IllegalStateException(id() + " has no revision yet; call unavailability() first");
        }
        return marker;
    }
}
