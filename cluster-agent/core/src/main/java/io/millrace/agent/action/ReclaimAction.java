package io.millrace.agent.action;

import io.millrace.agent.domain.Guard;
import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.domain.ReclaimClaim;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Preemption;
import io.millrace.model.command.ReserveVictim;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Takes the victims off their cores and starts the beneficiary on them. */
record ReclaimAction(Action.Reclaim action) implements LongAction {

    @Override
    public Set<Capability> needs() {
        final Set<Capability> all = EnumSet.of(Capability.RECLAIM);
        action.allPreemptions().forEach(one -> all.add(needed(one)));
        if (action.tasks() != null) {
            all.add(Capability.START_TASKS);
        }
        return all;
    }

    private static Capability needed(final Preemption how) {
        return switch (how.mode()) {
            case SUSPEND -> Capability.SUSPEND;
            case CHECKPOINT ->
                CheckpointAction.needed(Objects.requireNonNull(how.checkpointMethod(), "a checkpoint has a method"));
            case REQUEUE -> Capability.RECLAIM;
        };
    }

    @Override
    public Optional<JobKey> startedJob() {
        return Optional.of(action.beneficiary());
    }

    @Override
    public List<JobKey> namedJobs() {
        final List<JobKey> all = new ArrayList<>(action.victims());
        all.add(action.beneficiary());
        return all;
    }

    @Override
    public List<JobKey> changedJobs() {
        return action.victims();
    }

    @Override
    public Optional<Result.Refused> refusal(final Guard guard) {
        return guard.mustBeStartable(action.beneficiary())
                .or(() -> guard.tasksMustWait(action.start()))
                .or(() -> action.allPreemptions().stream()
                        .flatMap(one -> victim(one, guard).stream())
                        .findFirst())
                .or(() -> {
                    final int freed = ReclaimClaim.victimsCores(action, guard.live());
                    final int cores = ReclaimClaim.neededCores(action, guard.live());
                    return Math.max(0, guard.freeCores()) + freed >= cores
                            ? Guard.VALID
                            : Guard.stale(action.beneficiary() + " needs " + cores + " cores; its victims free " + freed
                                    + ", and " + guard.idleText());
                });
    }

    private static Optional<Result.Refused> victim(final Preemption one, final Guard guard) {
        return one.checkpointMethod() == null
                ? guard.mustRun(one.victim())
                : new CheckpointAction(new Action.Checkpoint(one.victim(), one.checkpointMethod())).refusal(guard);
    }

    @Override
    public LiveCluster after(final LiveCluster live, final Instant now) {
        LiveCluster next = live;
        for (final JobKey victim : action.victims()) {
            final JobObserved job = live.job(victim);
            if (job != null && job.state() instanceof JobState.Running) {
                next = next.with(victim, new JobState.Completing());
            }
        }
        return next;
    }

    @Override
    public Result run(final Command command, final ActionContext with) throws InterruptedException {
        return with.reclaim().execute(command, action);
    }

    @Override
    public Result effect(final InterruptedCommand seen) {
        if (action.tasks() != null && seen.tasks(action.start(), action.tasks()) instanceof Result.Done started) {
            return started;
        }
        if (action.tasks() == null && seen.hasStarted(action.beneficiary())) {
            return InterruptedCommand.done("the beneficiary runs");
        }
        final long left = action.allPreemptions().stream()
                .filter(one -> hasLeft(one, seen))
                .count();
        return new Result.Failed(
                "interrupted by a crash: " + left + " of " + action.victims().size()
                        + " victims left their cores and are pending, and the beneficiary is not running; issue a new"
                        + " command");
    }

    private static boolean hasLeft(final Preemption one, final InterruptedCommand seen) {
        return seen.state(one.victim()) instanceof JobState.Suspended
                ? one.mode() == Preemption.Mode.SUSPEND
                : seen.wasRequeued(one.victim());
    }

    @Override
    public Result recover(final Command command, final Instant begun, final CrashRecovery recovery)
            throws InterruptedException {
        final Result result = recovery.inQueue(this, begun);
        recovery.checkpoints().setRemainingWalltimes(action.victims());
        // The reserve may have been preempted, too. The release of a job that was not has no effect.
        recovery.release()
                .release(
                        command.id(),
                        Stream.concat(
                                        action.victims().stream(),
                                        action.allReserve().stream().map(ReserveVictim::job))
                                .map(recovery.checkpoints()::next)
                                .toList());
        return result;
    }
}
