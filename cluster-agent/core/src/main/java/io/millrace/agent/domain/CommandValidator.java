package io.millrace.agent.domain;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.array.ArrayTasks;
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
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Validates a command before it is executed. The reason of a refusal names what was found. */
public final class CommandValidator {

    private static final Optional<Result.Refused> VALID = Optional.empty();

    private final Supplier<Set<Capability>> capabilities;
    private final Function<Capability, Optional<String>> withheld;

    /** @param capabilities what the cluster offers */
    public CommandValidator(final Set<Capability> capabilities) {
        this(() -> capabilities, missing -> Optional.empty());
    }

    /**
     * @param capabilities what the cluster offers at the moment
     * @param withheld for a capability that the adapter implements and the installation does not allow: reason and remedy
     */
    public CommandValidator(
            final Supplier<Set<Capability>> capabilities, final Function<Capability, Optional<String>> withheld) {
        this.capabilities = capabilities;
        this.withheld = withheld;
    }

    /** Checks expiry, permission and capabilities, without the state of the cluster. Empty if the command is valid. */
    public Optional<Result.Refused> validateStatic(final Command command, final Instant now) {
        if (now.isAfter(command.validUntil())) {
            return refuse(
                    Refusal.EXPIRED,
                    "command expired at " + command.validUntil() + "; it is " + now + " now; issue a new command");
        }
        if (!IssuerPermissions.allows(command.issuer(), command.action())) {
            return refuse(
                    Refusal.NOT_PERMITTED,
                    command.issuer() + " may not issue '" + command.action().name() + "'");
        }
        final Set<Capability> missing = RequiredCapabilities.of(command.action());
        missing.removeAll(capabilities.get());
        return missing.isEmpty()
                ? VALID
                : refuse(
                        Refusal.UNSUPPORTED,
                        missing.stream()
                                .map(capability -> withheld.apply(capability)
                                        .orElseGet(() -> "'" + command.action().name() + "' needs " + capability
                                                + ", which the workload manager of this cluster does not offer"))
                                .collect(Collectors.joining("; ")));
    }

    /** Whether the action is validated on the live cluster. Others (make steps, copies, dry runs) do not need an available workload manager. */
    public static boolean readsQueue(final Action action) {
        return affectsQueue(action) || action instanceof Action.RemoveCopy;
    }

    /** Whether the action changes the queue, so that its effect shows in a later revision. */
    public static boolean affectsQueue(final Action action) {
        return !(action instanceof Action.Make
                || action instanceof Action.CopyTree
                || action instanceof Action.StopCopy
                || action instanceof Action.RemoveCopy
                || action instanceof Action.DryRun);
    }

    /**
     * Checks the preconditions and the state of the jobs on the live cluster. Empty if the command is valid.
     *
     * @param claimedCores idle cores that belong to the beneficiaries of running reclaims
     * @param known whether a job with this tag is in the queue or in accounting
     */
    public Optional<Result.Refused> validateLive(
            final Command command, final LiveCluster live, final int claimedCores, final Predicate<AttemptId> known) {
        return InteractiveJobGuard.refusal(command.action(), live)
                .or(() -> command.preconditions().stream()
                        .flatMap(wanted -> violation(wanted, live, claimedCores, known).stream())
                        .findFirst())
                .or(() -> illegal(command.action(), live, claimedCores));
    }

    private static Optional<Result.Refused> refuse(final Refusal code, final String reason) {
        return Optional.of(new Result.Refused(code, reason));
    }

    private static Optional<Result.Refused> stale(final String reason) {
        return refuse(Refusal.STALE, reason);
    }

    private static Optional<Result.Refused> violation(
            final Precondition wanted, final LiveCluster live, final int claimed, final Predicate<AttemptId> known) {
        return switch (wanted) {
            case Precondition.JobWaits waits -> mustWaitForMillrace(waits.job(), live);
            case Precondition.JobRuns runs -> mustRun(runs.job(), live);
            case Precondition.IdleCores idle ->
                live.idleCores() - claimed >= idle.atLeast()
                        ? VALID
                        : stale("needs " + idle.atLeast() + " idle cores; " + idleText(live, claimed));
            case Precondition.OwnerUses uses ->
                live.coresUsedBy(uses.owner()) >= uses.atLeastCores()
                        ? VALID
                        : stale("user '" + uses.owner() + "' uses " + live.coresUsedBy(uses.owner())
                                + " cores; expected at least " + uses.atLeastCores());
            case Precondition.AttemptAbsent absent ->
                known.test(absent.attempt())
                        ? stale("a job of attempt " + absent.attempt() + " already exists")
                        : VALID;
        };
    }

    private Optional<Result.Refused> illegal(final Action action, final LiveCluster live, final int claimed) {
        return switch (action) {
            case Action.Start start -> start(start, live, claimed);
            case Action.Reclaim reclaim -> reclaim(reclaim, live, claimed);
            case Action.Hold hold -> mustBePending(hold.job(), live);
            case Action.Release release -> mustHaveSubmissionHold(release.job(), live);
            case Action.Requeue requeue -> mustRun(requeue.job(), live);
            case Action.Checkpoint checkpoint -> checkpoint(checkpoint, live);
            case Action.Suspend suspend -> mustRun(suspend.job(), live);
            case Action.Signal signal -> mustRun(signal.job(), live);
            case Action.Resume resume -> resume(resume, live, claimed);
            case Action.Cancel cancel -> mustExist(cancel.job(), live);
            case Action.Submit s -> VALID;
            case Action.Make m -> VALID;
            case Action.CopyTree c -> VALID;
            case Action.StopCopy s -> VALID;
            case Action.RemoveCopy remove -> mustNotBeInUse(remove, live);
            case Action.AlterWalltime alter -> mustExist(alter.job(), live);
            case Action.AlterPending alter -> mustBePending(alter.job(), live);
            case Action.SetTier tier -> mustExist(tier.job(), live);
            case Action.SetPartitions choice -> mustBePending(choice.job(), live);
            case Action.SetLimit l -> VALID;
            case Action.DryRun d -> VALID;
        };
    }

    private Optional<Result.Refused> start(final Action.Start start, final LiveCluster live, final int claimed) {
        return mustBeStartable(start.job(), live).or(() -> {
            if (live.control() == Control.NATIVE) {
                return stale("the cluster is under native control; its own scheduler starts jobs");
            }
            return mustBeMovable(start, live)
                    .or(() -> tasksMustWait(start, live))
                    .or(() -> mustFit(start.job(), start.count(), live, claimed));
        });
    }

    /** A task of an array starts in another partition only where it can be moved without the others. */
    private Optional<Result.Refused> mustBeMovable(final Action.Start start, final LiveCluster live) {
        final JobObserved job = live.job(start.job());
        if (job == null
                || job.detail().array() == null
                || start.partition() == null
                || start.partition().equals(job.partition())
                || capabilities.get().contains(Capability.MOVE_TASKS)) {
            return VALID;
        }
        return refuse(
                Refusal.UNSUPPORTED,
                withheld.apply(Capability.MOVE_TASKS)
                        .orElse("'start' of an array task in another partition needs MOVE_TASKS, which the workload"
                                + " manager of this cluster does not offer"));
    }

    /** All named tasks wait in the record of the array, and it has a slot for each. */
    private static Optional<Result.Refused> tasksMustWait(final Action.Start start, final LiveCluster live) {
        final JobObserved job = live.job(start.job());
        if (start.tasks() == null || job == null) {
            return VALID;
        }
        final ArrayTasks array = job.detail().array();
        if (array == null || !array.isReadable()) {
            return stale(start.job() + " does not show which tasks of an array wait");
        }
        final String missing = ArrayIndices.without(start.tasks(), array.indices());
        if (!missing.isEmpty()) {
            return stale("tasks " + missing + " of " + start.job() + " do not wait");
        }
        return array.freeSlots() == null || start.count() <= array.freeSlots()
                ? VALID
                : stale(start.job() + " has " + array.freeSlots() + " free slots for " + start.count() + " tasks");
    }

    private static Optional<Result.Refused> mustFit(
            final JobKey key, final int count, final LiveCluster live, final int claimed) {
        final int cores = count * cores(key, live);
        return live.idleCores() - claimed >= cores
                ? VALID
                : stale(key + " needs " + cores + " cores; " + idleText(live, claimed));
    }

    private static int cores(final JobKey key, final LiveCluster live) {
        final JobObserved job = live.job(key);
        return job == null ? 0 : job.resources().cores();
    }

    private static Optional<Result.Refused> reclaim(
            final Action.Reclaim reclaim, final LiveCluster live, final int claimed) {
        return mustBeStartable(reclaim.beneficiary(), live)
                .or(() -> tasksMustWait(reclaim.start(), live))
                .or(() -> reclaim.allPreemptions().stream()
                        .flatMap(one -> victim(one, live).stream())
                        .findFirst())
                .or(() -> {
                    final int freed = ReclaimClaim.victimsCores(reclaim, live);
                    final int cores = ReclaimClaim.neededCores(reclaim, live);
                    return Math.max(0, live.idleCores() - claimed) + freed >= cores
                            ? VALID
                            : stale(reclaim.beneficiary() + " needs " + cores + " cores; its victims free " + freed
                                    + ", and " + idleText(live, claimed));
                });
    }

    private static Optional<Result.Refused> victim(final Preemption one, final LiveCluster live) {
        return one.checkpointMethod() == null
                ? mustRun(one.victim(), live)
                : checkpoint(new Action.Checkpoint(one.victim(), one.checkpointMethod()), live);
    }

    private static Optional<Result.Refused> checkpoint(final Action.Checkpoint checkpoint, final LiveCluster live) {
        final String marker =
                checkpoint.method() instanceof CheckpointMethod.Application application ? application.marker() : "none";
        if (marker.isEmpty()
                || marker.startsWith("/")
                || List.of(marker.split("/")).contains("..")) {
            return stale("checkpoint marker '" + marker + "' is not a file name relative to the job's directory");
        }
        return mustRun(checkpoint.job(), live);
    }

    private static Optional<Result.Refused> resume(
            final Action.Resume resume, final LiveCluster live, final int claimed) {
        final JobObserved job = live.job(resume.job());
        if (job == null) {
            return gone(resume.job());
        }
        return job.state() instanceof JobState.Suspended
                ? mustFit(resume.job(), 1, live, claimed)
                : stale(resume.job() + " is " + job.state().word() + ", not suspended");
    }

    /** Requires a pending job that is held only by Millrace, with the entry hold or the submission hold. */
    private static Optional<Result.Refused> mustWaitForMillrace(final JobKey key, final LiveCluster live) {
        final JobObserved job = live.job(key);
        return job != null && job.state().equals(new JobState.Held(HoldKind.SUBMISSION)) ? VALID : mustWait(key, live);
    }

    /** Requires a pending job that has no hold except the entry hold. */
    private static Optional<Result.Refused> mustWait(final JobKey key, final LiveCluster live) {
        final JobObserved job = live.job(key);
        if (job == null) {
            return gone(key);
        }
        return switch (job.state()) {
            case JobState.Queued q -> VALID;
            case JobState.Held held ->
                switch (held.by()) {
                    case ENTRY -> VALID;
                    case SUBMISSION -> stale(key + " is not released yet");
                    case USER, OPERATOR ->
                        stale(key + " is held by " + held.by().holder());
                };
            case JobState.Running r -> notPending(job);
            case JobState.Suspended s -> notPending(job);
            case JobState.Completing c -> notPending(job);
            case JobState.Unsettled u -> notPending(job);
            case JobState.Unknown u -> notPending(job);
        };
    }

    /** Requires a pending job that could start now if its resources were free: no other job is preempted for one that could not. */
    private static Optional<Result.Refused> mustBeStartable(final JobKey key, final LiveCluster live) {
        final JobObserved job = live.job(key);
        return mustWait(key, live)
                .or(() -> job == null
                        ? VALID
                        : job.startVeto().flatMap(veto -> stale(key + " cannot start now: " + veto.reason())));
    }

    private static Optional<Result.Refused> mustBePending(final JobKey key, final LiveCluster live) {
        final JobObserved job = live.job(key);
        if (job == null) {
            return gone(key);
        }
        return job.state().isWaiting() ? VALID : notPending(job);
    }

    private static Optional<Result.Refused> notPending(final JobObserved job) {
        return stale(job.job() + " is " + job.state().word() + ", not pending");
    }

    private static Optional<Result.Refused> mustHaveSubmissionHold(final JobKey key, final LiveCluster live) {
        final JobObserved job = live.job(key);
        if (job == null) {
            return gone(key);
        }
        return job.state().equals(new JobState.Held(HoldKind.SUBMISSION))
                ? VALID
                : stale(key + " has no submission hold; it is " + job.state().word());
    }

    private static Optional<Result.Refused> mustRun(final JobKey key, final LiveCluster live) {
        final JobObserved job = live.job(key);
        if (job == null) {
            return gone(key);
        }
        return job.state() instanceof JobState.Running
                ? VALID
                : stale(key + " is " + job.state().word() + ", not running");
    }

    private static Optional<Result.Refused> mustNotBeInUse(final Action.RemoveCopy remove, final LiveCluster live) {
        return live.jobOf(remove.attempt())
                .flatMap(job -> stale("'" + remove.directory() + "' is the directory of " + job.job()
                        + ", which is still in the queue"));
    }

    private static Optional<Result.Refused> mustExist(final JobKey key, final LiveCluster live) {
        return live.job(key) == null ? gone(key) : VALID;
    }

    private static Optional<Result.Refused> gone(final JobKey key) {
        return stale(key + " is not in the queue");
    }

    private static String idleText(final LiveCluster live, final int claimed) {
        return live.idleCores() + " cores are idle"
                + (claimed > 0 ? ", of which a running reclaim claims " + claimed : "");
    }
}
