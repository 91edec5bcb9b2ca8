package io.millrace.migration.domain.cluster;

import io.millrace.decide.AssumedCluster;
import io.millrace.decide.ClusterView;
import io.millrace.decide.CommandStatus;
import io.millrace.decide.CommandView;
import io.millrace.decide.JobEligibility;
import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
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
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.policy.ClusterAvailability;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The state of one cluster: its newest revision, the commands issued to it, and the local jobs that carry the tag of an attempt. */
public final class TargetCluster {

    private static final Comparator<JobKey> OLDEST_FIRST =
            Comparator.comparing(JobKey::submittedAt).thenComparing(JobKey::toString);

    /** More than the possible tries in one hour. */
    private static final int IDS_PER_HOUR = 100_000;

    private static final int LAST_HOUR = 9_998;

    private final ClusterView view;
    private final CommandView commands = new CommandView(Issuer.MIGRATION);
    private final Map<AttemptId, Set<JobKey>> tagged = new HashMap<>();
    private final Map<JobKey, AttemptId> tags = new HashMap<>();
    /** The tagged jobs of the open batch. */
    private final Map<JobKey, AttemptId> batch = new HashMap<>();
    /** The tagged jobs with a submission hold, with their tags. */
    private final Map<JobKey, AttemptId> heldTagged = new TreeMap<>(OLDEST_FIRST);

    private final Set<AttemptId> changed = new HashSet<>();
    private final Map<JobKey, Instant> predictedStarts = new HashMap<>();
    private @Nullable ClusterAvailability availability;

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
            tags.put(job.job(), job.attempt());
            batch.put(job.job(), job.attempt());
            changed.add(job.attempt());
        }
        if (!view.apply(event)) {
            return false;
        }
        commands.included(revision().commandsIncluded());
        view.takeGone().forEach(this::forget);
        batch.forEach((job, tag) -> {
            if (hasSubmissionHold(job)) {
                heldTagged.put(job, tag);
            } else {
                heldTagged.remove(job);
            }
        });
        batch.clear();
        return true;
    }

    private void forget(final JobKey gone) {
        predictedStarts.remove(gone);
        heldTagged.remove(gone);
        final AttemptId tag = tags.remove(gone);
        if (tag != null) {
            tagged.computeIfPresent(tag, (t, jobs) -> jobs.remove(gone) && jobs.isEmpty() ? null : jobs);
        }
    }

    /** Applies what operators decided about it; returns false if that is known already. */
    public boolean decided(final ClusterAvailability decision) {
        if (availability != null && availability.version() >= decision.version()) {
            return false;
        }
        availability = decision;
        return true;
    }

    /** Null if no operator has ever changed it. */
    public @Nullable ClusterAvailability availability() {
        return availability;
    }

    /** Why no job may be placed on it; empty if it is open. */
    public Optional<Veto> closure() {
        if (availability == null) {
            return Optional.empty();
        }
        final String by =
                " by " + availability.author() + " since " + availability.since() + ": " + availability.reason();
        return switch (availability.status()) {
            case OPEN -> Optional.empty();
            case DRAINED -> Optional.of(VetoCode.CLUSTER_DRAINED.veto(id() + ": drained" + by));
            case FENCED -> Optional.of(VetoCode.CLUSTER_FENCED.veto(id() + ": fenced" + by));
            case RETURNING ->
                Optional.of(VetoCode.CLUSTER_FENCED.veto(id() + ": fenced until its agent has reported and cancelled"
                        + " the jobs that were placed elsewhere; its return was requested" + by));
        };
    }

    public boolean isFenced() {
        return availability != null && availability.status() == ClusterAvailability.Status.FENCED;
    }

    /** Whether it is fenced, or returns from a fence: the jobs of its replaced attempts are cancelled. */
    public boolean isReplaced() {
        return availability != null && availability.status().isFenced();
    }

    public boolean isDrained() {
        return availability != null && availability.status() == ClusterAvailability.Status.DRAINED;
    }

    /** Until when a command that the agent has not answered may still take effect; the past if there is none. */
    public Instant quietFrom() {
        return commands.assumed().stream()
                .map(command -> command.validUntil().plusMillis(1))
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
    }

    public void vanished(final String key) {
        view.remove(key);
    }

    public void issued(final Command command, final long offset) {
        commands.apply(command, offset);
    }

    public void answered(final Outcome outcome) {
        commands.apply(outcome);
    }

    void forgetBefore(final Instant now) {
        commands.forgetBefore(now);
    }

    public CommandStatus status(final Action action) {
        return commands.status(action);
    }

    /**
     * Creates a command based on the newest revision and records it as issued. Numbers start from the age of the anchor in hours: an agent
     * executes each id at most once, so an id whose answer is forgotten must not be used again.
     */
    public Command issue(final CommandRequest order, final MigrationPolicy policy, final Instant now) {
        final long hours = Math.clamp(Duration.between(order.anchor(), now).toHours(), 0, LAST_HOUR);
        final Command command = new Command(
                commands.nextId(order.action(), (int) hours * IDS_PER_HOUR),
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

    /** The local jobs that carry the tag of an attempt, oldest first. */
    public Map<AttemptId, Set<JobKey>> tagged() {
        return tagged;
    }

    /** The local jobs that carry the tag of an attempt and have a submission hold, oldest first, with their tags. */
    public Map<JobKey, AttemptId> heldTagged() {
        return heldTagged;
    }

    /** The oldest job of the newest revision with this tag. */
    public Optional<JobKey> oldestTagged(final AttemptId attempt) {
        return tagged.getOrDefault(attempt, Set.of()).stream()
                .filter(job -> view.job(job) != null)
                .findFirst();
    }

    @Nullable
    public JobObserved job(final JobKey key) {
        return view.job(key);
    }

    public boolean hasSubmissionHold(final JobKey key) {
        final JobObserved job = view.job(key);
        return job != null && job.state().equals(new JobState.Held(HoldKind.SUBMISSION));
    }

    @Nullable
    public RevisionClosed marker() {
        return view.marker();
    }

    public ClusterView view() {
        return view;
    }

    /** The plan of the cluster predicts the start of a job; null: no more. */
    public void predicted(final JobKey job, final @Nullable Instant start) {
        if (start == null) {
            predictedStarts.remove(job);
        } else {
            predictedStarts.put(job, start);
        }
    }

    /** Whether the plan of the cluster predicts the start of any job. */
    public boolean hasPredictions() {
        return !predictedStarts.isEmpty();
    }

    public Optional<Instant> predictedStart(final JobKey job) {
        return Optional.ofNullable(predictedStarts.get(job));
    }

    /** Whether the local job of a placed job has left the queue. */
    public boolean hasStarted(final GlobalJob job) {
        final Attempt attempt = job.attempt();
        final JobObserved local = attempt == null || attempt.localJob() == null ? null : view.job(attempt.localJob());
        return local != null && !local.state().isWaiting();
    }

    /** Which jobs can run there at all. */
    public JobEligibility eligibility() {
        return JobEligibility.of(view);
    }

    /** The veto with the name of the cluster. */
    public Veto named(final Veto veto) {
        return new Veto(veto.code(), veto.permanent(), id() + ": " + veto.reason());
    }

    public AssumedCluster assumed() {
        return AssumedCluster.of(view, commands);
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
