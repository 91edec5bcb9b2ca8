package io.millrace.agent.domain;

import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Preemption;
import io.millrace.model.command.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a command that was started and not answered, derived from the queue and from accounting without executing it again (promise
 * 3). Submit, make and copy-tree are recognized by their tag or session, not here.
 */
public final class InterruptedCommand {

    private final Instant begun;
    private final LiveCluster live;
    private final Collection<Run> ended;

    /**
     * @param begun when {@code Begun} was committed, to the second
     * @param live the cluster now, when the command can no longer take effect
     * @param ended ended runs of the jobs named by the command
     */
    public InterruptedCommand(final Instant begun, final LiveCluster live, final Collection<Run> ended) {
        this.begun = begun.minusSeconds(1);
        this.live = live;
        this.ended = ended;
    }

    public Result of(final Action action) {
        return switch (action) {
            case Action.Start start when start.tasks() != null -> tasks(start, start.tasks());
            case Action.Start start ->
                hasStarted(start.job()) ? done("started; the agent crashed before it answered") : notStarted(start);
            case Action.Release release ->
                isHeld(release.job(), HoldKind.SUBMISSION)
                        ? failed(release.job())
                        : done("released; the agent crashed before it answered");
            case Action.Hold hold ->
                isHeld(hold.job(), HoldKind.SUBMISSION)
                        ? done("held; the agent crashed before it answered")
                        : failed(hold.job());
            case Action.Requeue requeue ->
                wasRequeued(requeue.job())
                        ? done("requeued; the agent crashed before it answered")
                        : failed(requeue.job());
            case Action.Checkpoint checkpoint -> checkpoint(checkpoint.job());
            case Action.Suspend suspend ->
                state(suspend.job()) instanceof JobState.Suspended
                        ? done("suspended; the agent crashed before it answered")
                        : failed(suspend.job());
            case Action.Resume resume ->
                state(resume.job()) instanceof JobState.Suspended
                        ? failed(resume.job())
                        : done("resumed; the agent crashed before it answered");
            case Action.Cancel cancel ->
                isLeaving(cancel.job())
                        ? done("cancelled; the agent crashed before it answered")
                        : failed(cancel.job());
            case Action.Reclaim reclaim -> reclaim(reclaim);
            case Action.Signal signal ->
                new Result.Unclear("interrupted by a crash: it is unknown whether " + signal.signal() + " was sent; "
                        + text(signal.job()));
            case Action.StopCopy s ->
                new Result.Failed("interrupted by a crash; send the command again if the copy still runs");
            case Action.AlterWalltime alter -> altered(alter);
            case Action.AlterPending alter -> altered(alter);
            case Action.SetTier tier ->
                new Result.Failed(
                        "interrupted by a crash; tier " + tier.tier() + " can be set again; " + text(tier.job()));
            case Action.SetPartitions choice ->
                new Result.Failed("interrupted by a crash; the partitions can be set again; " + text(choice.job()));
            case Action.SetLimit limit ->
                new Result.Failed("interrupted by a crash; the limit of user '" + limit.user() + "' can be set again");
            case Action.DryRun d -> new Result.Failed("interrupted by a crash; repeat the dry run");
            case Action.Submit s -> throw new IllegalArgumentException("a submit is recovered by its tag");
            case Action.Make m -> throw new IllegalArgumentException("a make step is recovered by its session");
            case Action.CopyTree c -> throw new IllegalArgumentException("a copy is recovered by repeating it");
            case Action.RemoveCopy r -> throw new IllegalArgumentException("a removal is recovered by repeating it");
        };
    }

    private Result checkpoint(final JobKey key) {
        final Optional<JobKey> next = ended.stream()
                .filter(run -> run.job().equals(key))
                .map(Run::outcome)
                .filter(RunOutcome.Continued.class::isInstance)
                .map(outcome -> ((RunOutcome.Continued) outcome).continuedAs())
                .findFirst();
        if (next.isPresent()) {
            return new Result.Done(
                    next.get(), "it continues as " + next.get() + "; the agent crashed before it answered");
        }
        return wasRequeued(key)
                ? done("requeued; the agent crashed before it answered")
                : new Result.Failed("interrupted by a crash: the job may have been signalled, but it was not requeued; "
                        + text(key));
    }

    private Result altered(final Action.AlterPending alter) {
        final JobObserved job = live.job(alter.job());
        return job != null
                        && (alter.jobName() == null || alter.jobName().equals(job.name()))
                        && (alter.cores() == null
                                || alter.cores() == job.resources().cores())
                ? done("altered; the agent crashed before it answered")
                : failed(alter.job());
    }

    private Result altered(final Action.AlterWalltime alter) {
        final JobObserved job = live.job(alter.job());
        return job != null && job.walltime() != null && isRounded(alter.walltime(), job.walltime())
                ? done("altered; the agent crashed before it answered")
                : failed(alter.job());
    }

    /** Workload managers round up to their own granularity, at most a minute. */
    private static boolean isRounded(final Duration wanted, final Duration seen) {
        final Duration more = seen.minus(wanted);
        return !more.isNegative() && more.compareTo(Duration.ofMinutes(1)) < 0;
    }

    private Result reclaim(final Action.Reclaim reclaim) {
        if (reclaim.tasks() != null && tasks(reclaim.start(), reclaim.tasks()) instanceof Result.Done started) {
            return started;
        }
        if (reclaim.tasks() == null && hasStarted(reclaim.beneficiary())) {
            return done("the beneficiary runs; the agent crashed before it answered");
        }
        final long left =
                reclaim.allPreemptions().stream().filter(this::hasLeft).count();
        return new Result.Failed(
                "interrupted by a crash: " + left + " of " + reclaim.victims().size()
                        + " victims left their cores and are pending, and the beneficiary is not running; issue a new"
                        + " command");
    }

    private boolean hasLeft(final Preemption one) {
        return state(one.victim()) instanceof JobState.Suspended
                ? one.mode() == Preemption.Mode.SUSPEND
                : wasRequeued(one.victim());
    }

    private boolean hasStarted(final JobKey key) {
        final JobObserved job = live.job(key);
        if (job == null) {
            return ended.stream()
                    .anyMatch(run -> run.job().equals(key)
                            && run.started() != null
                            && !run.started().isBefore(begun));
        }
        return switch (job.state()) {
            case JobState.Running r -> true;
            case JobState.Suspended s -> true;
            case JobState.Completing c -> true;
            // Released to the local scheduler: it starts at its next pass.
            case JobState.Queued q -> true;
            case JobState.Held h -> false;
            case JobState.Unsettled u -> true;
            case JobState.Unknown u -> false;
        };
    }

    private boolean wasRequeued(final JobKey key) {
        final JobObserved job = live.job(key);
        final boolean recorded = ended.stream()
                .anyMatch(run -> run.job().equals(key)
                        && run.outcome() instanceof RunOutcome.Requeued
                        && !run.ended().isBefore(begun));
        if (recorded || job == null) {
            return recorded;
        }
        return switch (job.state()) {
            case JobState.Running running -> running.startedAt().isAfter(begun.plusSeconds(1));
            case JobState.Suspended s -> false;
            case JobState.Completing c -> true;
            case JobState.Queued q -> true;
            case JobState.Held h -> true;
            case JobState.Unsettled u -> false;
            case JobState.Unknown u -> false;
        };
    }

    private boolean isLeaving(final JobKey key) {
        final JobState state = state(key);
        return state == null || state instanceof JobState.Completing || state instanceof JobState.Unsettled;
    }

    private boolean isHeld(final JobKey key, final HoldKind kind) {
        return new JobState.Held(kind).equals(state(key));
    }

    private @Nullable JobState state(final JobKey key) {
        final JobObserved job = live.job(key);
        return job == null ? null : job.state();
    }

    private String text(final JobKey key) {
        final JobState state = state(key);
        return key + (state == null ? " has left the queue" : " is " + state);
    }

    /** A task that is no longer held was released, or has started or ended since. */
    private Result tasks(final Action.Start start, final String named) {
        final String left = ArrayIndices.both(named, live.heldTasks(start.job()));
        final String started = ArrayIndices.without(named, left);
        if (started.isEmpty()) {
            return new Result.Failed("interrupted by a crash before it took effect; tasks " + named + " of "
                    + start.job() + " are still held");
        }
        return Result.Done.started(
                started,
                "tasks " + started + " are no longer held"
                        + (left.isEmpty() ? "" : "; tasks " + left + " are still held")
                        + "; the agent crashed before it answered");
    }

    /** A start in another partition moves the job first; after a crash in between it is pending there. */
    private Result notStarted(final Action.Start start) {
        final JobObserved job = live.job(start.job());
        return start.partition() == null || job == null
                ? failed(start.job())
                : new Result.Failed("interrupted by a crash before it started; " + text(start.job())
                        + " and is pending in partition " + job.partition());
    }

    private static Result done(final String detail) {
        return new Result.Done(null, detail);
    }

    private Result failed(final JobKey key) {
        return new Result.Failed("interrupted by a crash before it took effect; " + text(key));
    }
}
