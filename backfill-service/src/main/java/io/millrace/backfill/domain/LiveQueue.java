package io.millrace.backfill.domain;

import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Veto;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Entitlement.Right;
import io.millrace.model.view.AssumedCluster;
import io.millrace.model.view.ClusterView;
import io.millrace.model.view.CommandView;
import io.millrace.model.view.Demand;
import io.millrace.model.view.NodeRoom;
import io.millrace.model.view.Retry.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a live cluster as the planner sees it: who may start, who stands aside and why, and what occupies cores until when.
 */
public final class LiveQueue {

    private final ClusterView observed;
    private final CommandView commands;
    private final Map<JobKey, Entitlement> entitlements;
    private final Remembered remembered;
    private final Site site;
    private final StartRules rules;
    private final Instant now;
    private final AssumedCluster assumed;
    private final NodeRoom nodes;
    private final Map<PartitionName, PartitionLimit> partitions = new HashMap<>();
    private final Map<PartitionName, Duration> longest = new HashMap<>();
    private final List<QueuedJob> queued = new ArrayList<>();
    private final List<RunningJob> running = new ArrayList<>();
    private final List<Barred> barred = new ArrayList<>();
    private final int coresInAll;
    private final Map<String, Integer> licences;
    private @Nullable Instant lookAgain;

    /** @throws NullPointerException if no revision of the cluster was closed yet */
    public LiveQueue(
            final ClusterView observed,
            final CommandView commands,
            final Map<JobKey, Entitlement> entitlements,
            final Remembered remembered,
            final Site site,
            final StartRules rules,
            final Instant now) {
        this.observed = observed;
        this.commands = commands;
        this.entitlements = entitlements;
        this.remembered = remembered;
        this.site = site;
        this.rules = rules;
        this.now = now;
        this.assumed = AssumedCluster.of(observed, commands);
        this.nodes = NodeRoom.of(observed.nodes());
        this.coresInAll = coresInAll(observed, assumed.marker());
        observed.partitions().forEach(this::limit);
        this.licences = new HashMap<>(site.licences());
        remembered.keepOnly(assumed.jobs());
        assumed.jobs().forEach(this::place);
    }

    /** Cores of all nodes, up or not: what exceeds them can never run here. */
    private static int coresInAll(final ClusterView observed, final RevisionClosed marker) {
        final int ofNodes = observed.nodes().stream()
                .map(NodeObserved::total)
                .mapToInt(total -> total.cores())
                .sum();
        return Math.max(ofNodes, marker.total().cores());
    }

    private void limit(final PartitionObserved partition) {
        partitions.put(partition.partition(), PartitionLimit.of(partition));
        if (partition.walltimeLimit() != null) {
            longest.put(partition.partition(), partition.walltimeLimit());
        }
    }

    private void place(final JobObserved job) {
        switch (job.state()) {
            case JobState.Running state -> runs(job, ShadowTime.after(state.started(), bound(job)), state.nodes());
            case JobState.Completing state -> runs(job, now.getEpochSecond(), List.of());
            // What we do not understand occupies its cores, and nothing says until when.
            case JobState.Unknown state -> runs(job, ShadowTime.NEVER, List.of());
            case JobState.Queued state -> waits(job);
            case JobState.Held state -> waits(job);
            case JobState.Suspended state -> {}
            case JobState.Unsettled state -> {}
        }
    }

    private void runs(final JobObserved job, final long end_s, final List<NodeName> on) {
        final JobObserved seen = observed.job(job.job());
        final boolean onlyAssumed = seen != null && seen.state().isWaiting();
        final List<NodeName> where = onlyAssumed ? nodes.take(Demand.of(job)) : on;
        job.detail()
                .placement()
                .licences()
                .forEach((name, tokens) -> licences.computeIfPresent(name, (n, free) -> free - tokens));
        running.add(new RunningJob(job.job(), job.resources(), job.partition(), end_s, where)
                .started(how(job), traits(job))
                .at(job.detail().placement()));
    }

    /** Who runs on a shrunk estimate may be cut, but for a rest after a cut that did not work. */
    private RunningJob.How how(final JobObserved job) {
        final OptionalLong shrunkEnd_s = remembered.shrunkEnd_s(job.job());
        if (shrunkEnd_s.isEmpty() || !(job.state() instanceof JobState.Running running)) {
            return RunningJob.How.WHOLE;
        }
        final boolean rests = rest(CutCommand.action(job)).isPresent();
        return new RunningJob.How(running.started().getEpochSecond(), shrunkEnd_s.getAsLong(), !rests);
    }

    private Traits traits(final JobObserved job) {
        return new Traits(
                job.owner().value(),
                remembered.classOf(job.job()),
                canBeSaved(job.checkpoint(), assumed.marker().capabilities()),
                job.restarts(),
                0,
                0,
                remembered.isHead(job.job()));
    }

    private static boolean canBeSaved(final CheckpointMethod method, final Set<Capability> offered) {
        return switch (method) {
            case CheckpointMethod.None n -> false;
            case CheckpointMethod.Application a -> offered.contains(Capability.CHECKPOINT);
            case CheckpointMethod.Native n -> offered.contains(Capability.NATIVE_CHECKPOINT);
            case CheckpointMethod.Criu c -> offered.contains(Capability.CRIU_CHECKPOINT);
        };
    }

    private void waits(final JobObserved job) {
        final JobObserved seen = observed.job(job.job());
        if (seen != null && seen.state() instanceof JobState.Running state) {
            // On its way back into the queue: its cores come free with a revision, until then it is neither here nor
            // there.
            running.add(
                    new RunningJob(job.job(), job.resources(), job.partition(), now.getEpochSecond(), state.nodes()));
            return;
        }
        final Optional<Veto> veto = veto(job);
        if (veto.isPresent()) {
            barred.add(new Barred(job.job(), veto.get()));
            return;
        }
        final Entitlement entitlement =
                Objects.requireNonNull(entitlements.get(job.job()), "a job without a right stands aside");
        queued.add(QueuedJob.of(
                        job.job(),
                        job.resources(),
                        job.partition(),
                        bound(job),
                        entitlement.priority(),
                        entitlement.right() == Right.GUARANTEED)
                .with(traits(job))
                .at(job.detail().placement()));
    }

    /** Its own limit, else that of its partition; null if nothing bounds it. */
    private @Nullable Duration bound(final JobObserved job) {
        return job.walltime() != null ? job.walltime() : longest.get(job.partition());
    }

    private Optional<Veto> veto(final JobObserved job) {
        return held(job)
                .or(() -> depends(job))
                .or(() -> notEntitled(job))
                .or(() -> never(job))
                .or(() -> nowhere(job))
                .or(() -> pause(job));
    }

    private static Optional<Veto> held(final JobObserved job) {
        if (!(job.state() instanceof JobState.Held held)) {
            return Optional.empty();
        }
        return switch (held.by()) {
            case ENTRY -> Optional.empty();
            case USER -> Optional.of(Veto.forNow("held-by-user", "held by its owner, who alone can release it"));
            case OPERATOR -> Optional.of(Veto.forNow("held-by-operator", "held by an operator or the system"));
            case SUBMISSION -> Optional.of(Veto.forNow("being-handed-in", "is being handed in"));
        };
    }

    private static Optional<Veto> depends(final JobObserved job) {
        return job.eligible() == null && !job.detail().dependencies().isEmpty()
                ? Optional.of(Veto.forNow(
                        "depends", "waits for " + String.join(", ", job.detail().dependencies())))
                : Optional.empty();
    }

    private Optional<Veto> notEntitled(final JobObserved job) {
        final Entitlement entitlement = entitlements.get(job.job());
        if (entitlement == null) {
            return Optional.of(
                    Veto.forNow("no-entitlement", "quota-service has not said yet by what right it would run"));
        }
        return entitlement.right() == Right.HELD
                ? Optional.of(Veto.forNow("held-by-quota", entitlement.reason()))
                : Optional.empty();
    }

    private Optional<Veto> never(final JobObserved job) {
        final int cores = job.resources().cores();
        if (cores > coresInAll) {
            return Optional.of(Veto.permanent(
                    "more-than-cluster", "needs " + cores + " cores, the whole cluster has " + coresInAll));
        }
        final PartitionLimit limit = partitions.get(job.partition());
        if (limit == null) {
            return Optional.empty();
        }
        final Optional<Veto> refused = limit.veto(job);
        if (refused.isPresent()) {
            return refused;
        }
        final Duration allowed = longest.get(job.partition());
        return job.walltime() != null && allowed != null && job.walltime().compareTo(allowed) > 0
                ? Optional.of(Veto.permanent(
                        "longer-than-partition",
                        "asks for " + job.walltime() + ", partition '" + limit.partition() + "' allows " + allowed))
                : Optional.empty();
    }

    /** What no node that is up has, and no licence that the site owns. */
    private Optional<Veto> nowhere(final JobObserved job) {
        for (final var want : job.detail().placement().licences().entrySet()) {
            final int owned = site.licences().getOrDefault(want.getKey(), Integer.MAX_VALUE);
            if (want.getValue() > owned) {
                return Optional.of(Veto.permanent(
                        "more-than-licences",
                        "asks for " + want.getValue() + " licences '" + want.getKey() + "', the site has " + owned));
            }
        }
        final String not = nodes.never(Demand.of(job));
        return not == null ? Optional.empty() : Optional.of(Veto.forNow("no-such-node", not));
    }

    private Optional<Veto> pause(final JobObserved job) {
        return rest(new Action.Start(job.job()))
                .map(rest -> Veto.forNow(
                        "start-rests", "rests after its last start, which was answered: " + rest.because()));
    }

    private Optional<Pause> rest(final Action action) {
        final Optional<Pause> pause = rules.retry().pause(commands, Issuer.BACKFILL, action, assumed.marker(), now);
        pause.map(Pause::until)
                .filter(until -> until.isBefore(Instant.MAX))
                .filter(until -> lookAgain == null || until.isBefore(lookAgain))
                .ifPresent(until -> lookAgain = until);
        return pause;
    }

    /** Why nothing at all may be started here now; empty if starts may be decided. */
    public Optional<Veto> closed() {
        final RevisionClosed marker = assumed.marker();
        if (marker.health() instanceof WlmHealth.Stale stale) {
            return Optional.of(Veto.forNow(
                    "cluster-stale",
                    "the workload manager does not answer since " + stale.lastGood() + ": " + stale.because()));
        }
        if (Duration.between(marker.observedAt(), now).compareTo(rules.freshness()) > 0) {
            return Optional.of(Veto.forNow("agent-silent", "the agent has said nothing since " + marker.observedAt()));
        }
        return marker.capabilities().contains(Capability.START)
                ? Optional.empty()
                : Optional.of(Veto.permanent("no-start", "the agent of this cluster cannot start jobs"));
    }

    public QueueView view() {
        return new QueueView(
                assumed.idleCores(), queued, running, nodes, partitions, site.windows(), licences, remembered.first());
    }

    public List<Barred> barred() {
        return barred;
    }

    public RevisionClosed marker() {
        return assumed.marker();
    }

    /** When a pause ends; empty if only news can change the plan. */
    public Optional<Instant> lookAgain() {
        return Optional.ofNullable(lookAgain);
    }
}
