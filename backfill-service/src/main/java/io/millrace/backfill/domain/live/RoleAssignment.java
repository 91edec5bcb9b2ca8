package io.millrace.backfill.domain.live;

import io.millrace.backfill.domain.job.IneligibleJob;
import io.millrace.backfill.domain.job.JobAttributes;
import io.millrace.backfill.domain.job.JobRole;
import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.RunningJob;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Result;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.view.AssumedCluster;
import io.millrace.model.view.ClusterView;
import io.millrace.model.view.CommandView;
import io.millrace.model.view.PlacementRequest;
import io.millrace.model.view.FreeNodeCapacity;
import io.millrace.model.view.RetryPolicy.Pause;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells which part a job plays at one moment.
 *
 * @param nodes what is free on them; whoever is assumed to run takes its nodes from there
 * @param restless gathers jobs whose part time alone may change
 */
record RoleAssignment(
        ClusterView observed,
        AssumedCluster assumed,
        CommandView commands,
        Map<JobKey, Entitlement> entitlements,
        RetainedState remembered,
        ClusterInventory layout,
        FreeNodeCapacity nodes,
        StartSettings rules,
        Instant now,
        JobsInBackoff restless) {

    /** Null if it plays none: it occupies no cores and does not wait for any. */
    @Nullable
    JobRole role(final JobObserved job) {
        return switch (job.state()) {
            case JobState.Running state ->
                runs(job, ShadowTime.after(state.startedAt(), layout.walltimeLimit(job)), state.nodes());
            case JobState.Completing state -> runs(job, now.getEpochSecond(), List.of());
            // What we do not understand occupies its cores, and nothing says until when.
            case JobState.Unknown state -> runs(job, ShadowTime.NEVER, List.of());
            case JobState.Queued state -> waits(job);
            case JobState.Held state -> waits(job);
            case JobState.Suspended state -> null;
            case JobState.Unsettled state -> null;
        };
    }

    private JobRole runs(final JobObserved job, final long end_s, final List<NodeName> on) {
        final JobObserved seen = observed.job(job.job());
        final boolean onlyAssumed = seen != null && seen.state().isWaiting();
        final List<NodeName> where = onlyAssumed ? nodes.take(PlacementRequest.of(job)) : on;
        return new RunningJob(job.job(), job.resources(), job.partition(), end_s, where)
                .startedOn(how(job), traits(job))
                .withPlacement(job.detail().placement());
    }

    /** Who runs on a shrunk estimate may be cut, but for a rest after a cut that did not work. */
    private RunningJob.StartBasis how(final JobObserved job) {
        final OptionalLong shrunkEnd_s = remembered.shrunkEnd_s(job.job());
        if (shrunkEnd_s.isEmpty() || !(job.state() instanceof JobState.Running running)) {
            return RunningJob.StartBasis.NOT_SHRUNK;
        }
        final boolean rests = rest(job.job(), CheckpointPreemptionCommands.action(job)).isPresent();
        return new RunningJob.StartBasis(running.startedAt().getEpochSecond(), shrunkEnd_s.getAsLong(), !rests);
    }

    private JobAttributes traits(final JobObserved job) {
        return new JobAttributes(
                job.owner().value(),
                remembered.classOf(job.job()),
                job.checkpoint().isOffered(assumed.marker().capabilities()),
                job.restarts(),
                0,
                0,
                remembered.isHead(job.job()));
    }

    private JobRole waits(final JobObserved job) {
        final JobObserved seen = observed.job(job.job());
        if (seen != null && seen.state() instanceof JobState.Running state) {
            // On its way back into the queue: its cores come free with a revision, until then it is neither here nor
            // there.
            return new RunningJob(job.job(), job.resources(), job.partition(), now.getEpochSecond(), state.nodes());
        }
        final List<PartitionName> others = others(job);
        final Optional<Veto> home = layout.veto(job);
        final Optional<Veto> veto =
                veto(job).or(() -> others.isEmpty() ? home : Optional.empty()).or(() -> pause(job));
        if (veto.isPresent()) {
            return new IneligibleJob(job.job(), veto.get());
        }
        final Entitlement entitlement =
                Objects.requireNonNull(entitlements.get(job.job()), "a job without a right stands aside");
        final QueuedJob waits = QueuedJob.of(
                        job.job(),
                        job.resources(),
                        job.partition(),
                        layout.walltimeLimit(job),
                        entitlement.priority(),
                        entitlement.level() == EntitlementLevel.GUARANTEED)
                .withAttributes(traits(job))
                .withPlacement(job.detail().placement())
                .withOtherPartitions(others);
        return home.isPresent() ? waits.inPartition(others.getFirst()) : waits;
    }

    /**
     * Other partitions that it may start in: its owner's own choice, then what its priority opens, as far as it meets their limits. Whom its own
     * partition would never start waits for the first of them. After a
     * start that failed it stays at home until that is forgotten: what one partition refuses must not keep it from its own.
     */
    private List<PartitionName> others(final JobObserved job) {
        final Set<PartitionName> others = new LinkedHashSet<>(job.choice());
        final Entitlement entitlement = entitlements.get(job.job());
        others.addAll(entitlement == null ? List.of() : entitlement.reach());
        others.remove(job.partition());
        if (others.isEmpty() || !assumed.marker().capabilities().contains(Capability.MOVE) || failedToStart(job)) {
            return List.of();
        }
        others.removeIf(other -> !layout.accepts(job, other));
        return List.copyOf(others);
    }

    private boolean failedToStart(final JobObserved job) {
        return commands.lastAnswer(Issuer.BACKFILL, new Action.Start(job.job()))
                .filter(last -> last.result() instanceof Result.Failed)
                .isPresent();
    }

    private Optional<Veto> veto(final JobObserved job) {
        return held(job).or(() -> depends(job)).or(() -> notEntitled(job));
    }

    private static Optional<Veto> held(final JobObserved job) {
        if (!(job.state() instanceof JobState.Held held)) {
            return Optional.empty();
        }
        return switch (held.by()) {
            case ENTRY -> Optional.empty();
            case USER -> Optional.of(VetoCode.HELD_BY_USER.veto("held by its owner, who alone can release it"));
            case OPERATOR -> Optional.of(VetoCode.HELD_BY_OPERATOR.veto("held by an operator or the system"));
            case SUBMISSION -> Optional.of(VetoCode.SUBMISSION_IN_PROGRESS.veto("is being handed in"));
        };
    }

    private static Optional<Veto> depends(final JobObserved job) {
        return job.eligibleSince() == null && !job.detail().dependencies().isEmpty()
                ? Optional.of(VetoCode.DEPENDENCY.veto("waits for " + String.join(", ", job.detail().dependencies())))
                : Optional.empty();
    }

    private Optional<Veto> notEntitled(final JobObserved job) {
        final Entitlement entitlement = entitlements.get(job.job());
        if (entitlement == null) {
            return Optional.of(
                    VetoCode.NO_ENTITLEMENT.veto("quota-service has not said yet by what right it would run"));
        }
        return entitlement.level() == EntitlementLevel.HELD
                ? Optional.of(VetoCode.HELD_BY_QUOTA.veto(entitlement.reason()))
                : Optional.empty();
    }

    private Optional<Veto> pause(final JobObserved job) {
        return rest(job.job(), new Action.Start(job.job()))
                .map(rest -> VetoCode.START_BACKOFF.veto("rests after its last start, which was answered: " + rest.reason()));
    }

    private Optional<Pause> rest(final JobKey job, final Action action) {
        final Optional<Pause> pause = rules.retry().pause(commands, Issuer.BACKFILL, action, assumed.marker(), now);
        if (commands.lastAnswer(Issuer.BACKFILL, action).isPresent()) {
            restless.add(job, pause);
        }
        return pause;
    }
}
