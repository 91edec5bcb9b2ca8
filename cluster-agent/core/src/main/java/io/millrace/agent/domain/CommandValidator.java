package io.millrace.agent.domain;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Preemption;
import io.millrace.model.command.Refusal;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Judges a command before it is begun. Preconditions decide; a refusal names what was found. */
public final class CommandValidator {

    private static final Verdict BEGIN = new Verdict.Begin();

    private final Supplier<Set<Capability>> capabilities;
    private final Function<Capability, Optional<String>> withheld;

    /** @param capabilities what is offered, whatever its installation */
    public CommandValidator(final Set<Capability> capabilities) {
        this(() -> capabilities, missing -> Optional.empty());
    }

    /**
     * @param capabilities what is offered at the moment
     * @param withheld why one is not offered that the adapter could do, and what would change that
     */
    public CommandValidator(final Supplier<Set<Capability>> capabilities, final Function<Capability, Optional<String>> withheld) {
        this.capabilities = capabilities;
        this.withheld = withheld;
    }

    /** What can be said without a look at the cluster: validity, permission, capability. */
    public Verdict validateStatic(final Command command, final Instant now) {
        if (now.isAfter(command.validUntil())) {
            return new Verdict.Refuse(
                    Refusal.EXPIRED, "valid until " + command.validUntil() + ", it is " + now + " now; decide anew");
        }
        if (!IssuerPermissions.allows(command.issuer(), command.action())) {
            return new Verdict.Refuse(
                    Refusal.NOT_PERMITTED,
                    command.issuer() + " may not order '" + command.action().name() + "'");
        }
        final Set<Capability> missing = needed(command.action());
        missing.removeAll(capabilities.get());
        return missing.isEmpty()
                ? BEGIN
                : new Verdict.Refuse(
                        Refusal.UNSUPPORTED,
                        missing.stream()
                                .map(capability -> withheld.apply(capability)
                                        .orElseGet(() -> "'" + command.action().name() + "' needs " + capability
                                                + ", which this cluster's workload manager does not offer"))
                                .collect(Collectors.joining("; ")));
    }

    private static Set<Capability> needed(final Action action) {
        return switch (action) {
            case Action.Submit a -> EnumSet.noneOf(Capability.class);
            case Action.Cancel a -> EnumSet.noneOf(Capability.class);
            case Action.Make a -> EnumSet.noneOf(Capability.class);
            case Action.Start a ->
                a.partition() == null ? EnumSet.of(Capability.START) : EnumSet.of(Capability.START, Capability.MOVE);
            case Action.Hold a -> EnumSet.of(Capability.HOLD);
            case Action.Release a -> EnumSet.of(Capability.HOLD);
            case Action.Requeue a -> EnumSet.of(Capability.REQUEUE);
            case Action.Suspend a -> EnumSet.of(Capability.SUSPEND);
            case Action.Resume a -> EnumSet.of(Capability.SUSPEND);
            case Action.Signal a -> EnumSet.of(Capability.SIGNAL);
            case Action.Checkpoint a -> EnumSet.of(needed(a.method()));
            case Action.AlterWalltime a -> EnumSet.of(Capability.ALTER);
            case Action.SetTier a -> EnumSet.of(Capability.TIER);
            case Action.SetPartitions a -> EnumSet.of(Capability.PARTITION_CHOICE);
            case Action.SetLimit a -> EnumSet.of(Capability.LIMIT);
            case Action.DryRun a -> EnumSet.of(Capability.DRY_RUN);
            case Action.Reclaim a -> {
                final Set<Capability> all = EnumSet.of(Capability.RECLAIM);
                a.allPreemptions().forEach(one -> all.add(needed(one)));
                yield all;
            }
            case Action.CopyTree a -> EnumSet.of(Capability.TRANSFER);
            case Action.StopCopy a -> EnumSet.of(Capability.TRANSFER);
        };
    }

    /** A job that nobody can save is put back instead. */
    private static Capability needed(final CheckpointMethod method) {
        return method.needed().orElse(Capability.REQUEUE);
    }

    private static Capability needed(final Preemption how) {
        return switch (how.mode()) {
            case SUSPEND -> Capability.SUSPEND;
            case CHECKPOINT -> needed(Objects.requireNonNull(how.checkpointMethod(), "a checkpoint has a method"));
            case REQUEUE -> Capability.RECLAIM;
        };
    }

    /** Whether it concerns the queue at all: make steps and copies do not, so a silent workload manager does not hinder them. */
    public static boolean affectsQueue(final Action action) {
        return !(action instanceof Action.Make
                || action instanceof Action.CopyTree
                || action instanceof Action.StopCopy
                || action instanceof Action.DryRun);
    }

    /**
     * What the live cluster says to it.
     *
     * @param claimedCores idle cores that belong to reclaims under way
     * @param known whether a job with this tag is in the queue or among the ended
     */
    public Verdict validateLive(
            final Command command, final LiveCluster live, final int claimedCores, final Predicate<AttemptId> known) {
        final String disturbed = InteractiveJobGuard.refusal(command.action(), live);
        if (disturbed != null) {
            return new Verdict.Refuse(Refusal.NOT_PERMITTED, disturbed);
        }
        for (final Precondition wanted : command.preconditions()) {
            final String not = breach(wanted, live, claimedCores, known);
            if (not != null) {
                return Verdict.stale(not);
            }
        }
        final String illegal = illegal(command.action(), live, claimedCores);
        return illegal == null ? BEGIN : Verdict.stale(illegal);
    }

    private static @Nullable String breach(
            final Precondition wanted, final LiveCluster live, final int claimed, final Predicate<AttemptId> known) {
        return switch (wanted) {
            case Precondition.JobWaits waits -> mustWaitForMillrace(waits.job(), live);
            case Precondition.JobRuns runs -> mustRun(runs.job(), live);
            case Precondition.IdleCores idle ->
                live.idleCores() - claimed >= idle.atLeast()
                        ? null
                        : "needs " + idle.atLeast() + " idle cores, " + idleText(live, claimed);
            case Precondition.OwnerUses uses ->
                live.coresUsedBy(uses.owner()) >= uses.atLeastCores()
                        ? null
                        : "'" + uses.owner() + "' uses " + live.coresUsedBy(uses.owner()) + " cores, expected at least "
                                + uses.atLeastCores();
            case Precondition.AttemptAbsent absent ->
                known.test(absent.attempt()) ? "a job of attempt " + absent.attempt() + " is there already" : null;
        };
    }

    private static @Nullable String illegal(final Action action, final LiveCluster live, final int claimed) {
        return switch (action) {
            case Action.Start start -> start(start, live, claimed);
            case Action.Reclaim reclaim -> reclaim(reclaim, live, claimed);
            case Action.Hold hold -> waiting(hold.job(), live);
            case Action.Release release -> heldForSubmission(release.job(), live);
            case Action.Requeue requeue -> mustRun(requeue.job(), live);
            case Action.Checkpoint checkpoint -> checkpoint(checkpoint, live);
            case Action.Suspend suspend -> mustRun(suspend.job(), live);
            case Action.Signal signal -> mustRun(signal.job(), live);
            case Action.Resume resume -> resume(resume, live, claimed);
            case Action.Cancel cancel -> live.job(cancel.job()) == null ? gone(cancel.job()) : null;
            case Action.Submit s -> null;
            case Action.Make m -> null;
            case Action.CopyTree c -> null;
            case Action.StopCopy s -> null;
            case Action.AlterWalltime alter -> live.job(alter.job()) == null ? gone(alter.job()) : null;
            case Action.SetTier tier -> live.job(tier.job()) == null ? gone(tier.job()) : null;
            case Action.SetPartitions choice -> waiting(choice.job(), live);
            case Action.SetLimit l -> null;
            case Action.DryRun d -> null;
        };
    }

    private static @Nullable String start(final Action.Start start, final LiveCluster live, final int claimed) {
        final JobObserved job = live.job(start.job());
        final String not = mustWait(start.job(), live);
        if (not != null || job == null) {
            return not;
        }
        if (live.control() == Control.NATIVE) {
            return "the cluster is under native control now: its own scheduler starts jobs";
        }
        final int cores = job.resources().cores();
        return live.idleCores() - claimed >= cores
                ? null
                : start.job() + " needs " + cores + " cores, " + idleText(live, claimed);
    }

    private static @Nullable String reclaim(final Action.Reclaim reclaim, final LiveCluster live, final int claimed) {
        final JobObserved job = live.job(reclaim.beneficiary());
        final String not = mustWait(reclaim.beneficiary(), live);
        if (not != null || job == null) {
            return not;
        }
        for (final Preemption one : reclaim.allPreemptions()) {
            final String standsStill = one.checkpointMethod() == null
                    ? mustRun(one.victim(), live)
                    : checkpoint(new Action.Checkpoint(one.victim(), one.checkpointMethod()), live);
            if (standsStill != null) {
                return standsStill;
            }
        }
        final int freed = ReclaimClaim.victimsCores(reclaim, live);
        final int cores = job.resources().cores();
        return Math.max(0, live.idleCores() - claimed) + freed >= cores
                ? null
                : reclaim.beneficiary() + " needs " + cores + " cores, its victims free " + freed + ", and "
                        + idleText(live, claimed);
    }

    private static @Nullable String checkpoint(final Action.Checkpoint checkpoint, final LiveCluster live) {
        final String marker =
                checkpoint.method() instanceof CheckpointMethod.Application application ? application.marker() : "none";
        if (marker.isEmpty()
                || marker.startsWith("/")
                || List.of(marker.split("/")).contains("..")) {
            return "'" + marker + "' is not a file name relative to the job's directory";
        }
        return mustRun(checkpoint.job(), live);
    }

    private static @Nullable String resume(final Action.Resume resume, final LiveCluster live, final int claimed) {
        final JobObserved job = live.job(resume.job());
        if (job == null) {
            return gone(resume.job());
        }
        if (!(job.state() instanceof JobState.Suspended)) {
            return resume.job() + " is not suspended but " + job.state();
        }
        return live.idleCores() - claimed >= job.resources().cores()
                ? null
                : resume.job() + " needs " + job.resources().cores() + " cores, " + idleText(live, claimed);
    }

    /** Waiting, and nobody but Millrace holds it: its gate, or its own hold of a job just handed in. */
    private static @Nullable String mustWaitForMillrace(final JobKey key, final LiveCluster live) {
        final JobObserved job = live.job(key);
        return job != null && job.state().equals(new JobState.Held(HoldKind.SUBMISSION)) ? null : mustWait(key, live);
    }

    /** Waiting, and nobody but Millrace's gate holds it. */
    private static @Nullable String mustWait(final JobKey key, final LiveCluster live) {
        final JobObserved job = live.job(key);
        if (job == null) {
            return gone(key);
        }
        return switch (job.state()) {
            case JobState.Queued q -> null;
            case JobState.Held held ->
                switch (held.by()) {
                    case ENTRY -> null;
                    case SUBMISSION -> key + " is not released yet";
                    case USER, OPERATOR -> key + " is held (" + held.by() + ") and stays so until they lift it";
                };
            case JobState.Running r -> doesNotWait(job);
            case JobState.Suspended s -> doesNotWait(job);
            case JobState.Completing c -> doesNotWait(job);
            case JobState.Unsettled u -> doesNotWait(job);
            case JobState.Unknown u -> doesNotWait(job);
        };
    }

    private static @Nullable String waiting(final JobKey key, final LiveCluster live) {
        final JobObserved job = live.job(key);
        if (job == null) {
            return gone(key);
        }
        return job.state().isWaiting() ? null : doesNotWait(job);
    }

    private static String doesNotWait(final JobObserved job) {
        return job.job() + " does not wait but is " + job.state();
    }

    private static @Nullable String heldForSubmission(final JobKey key, final LiveCluster live) {
        final JobObserved job = live.job(key);
        if (job == null) {
            return gone(key);
        }
        return job.state().equals(new JobState.Held(HoldKind.SUBMISSION))
                ? null
                : key + " has no submission hold; it is " + job.state();
    }

    private static @Nullable String mustRun(final JobKey key, final LiveCluster live) {
        final JobObserved job = live.job(key);
        if (job == null) {
            return gone(key);
        }
        return job.state() instanceof JobState.Running ? null : key + " does not run but is " + job.state();
    }

    private static String gone(final JobKey key) {
        return key + " is not in the queue";
    }

    private static String idleText(final LiveCluster live, final int claimed) {
        return "idle are " + live.idleCores() + (claimed > 0 ? ", of which a reclaim under way claims " + claimed : "");
    }
}
