package io.millrace.agent.domain;

import io.millrace.model.JobKey;
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
 * What became of a command that was begun and never answered: told from the queue and from accounting, never by doing it again
 * (promise 3). Submit, make and copy-tree leave traces of their own and are not asked about here.
 */
public final class InterruptedCommand {

    private final Instant begun;
    private final LiveCluster live;
    private final Collection<AccountedRun> ended;

    /**
     * @param begun when {@code Begun} was committed, to the second
     * @param live the cluster now, when nothing of the command can be under way any more
     * @param ended ended runs of the jobs that the command names
     */
    public InterruptedCommand(final Instant begun, final LiveCluster live, final Collection<AccountedRun> ended) {
        this.begun = begun.minusSeconds(1);
        this.live = live;
        this.ended = ended;
    }

    public Result of(final Action action) {
        return switch (action) {
            case Action.Start start ->
                hasStarted(start.job()) ? done("started; the answer was lost in a crash") : notStarted(start);
            case Action.Release release ->
                isHeld(release.job(), HoldKind.SUBMISSION)
                        ? failed(release.job())
                        : done("released; the answer was lost in a crash");
            case Action.Hold hold ->
                isHeld(hold.job(), HoldKind.ENTRY) ? done("held; the answer was lost in a crash") : failed(hold.job());
            case Action.Requeue requeue ->
                wasPutBack(requeue.job()) ? done("put back; the answer was lost in a crash") : failed(requeue.job());
            case Action.Checkpoint checkpoint -> checkpoint(checkpoint.job());
            case Action.Suspend suspend ->
                state(suspend.job()) instanceof JobState.Suspended
                        ? done("suspended; the answer was lost in a crash")
                        : failed(suspend.job());
            case Action.Resume resume ->
                state(resume.job()) instanceof JobState.Suspended
                        ? failed(resume.job())
                        : done("resumed; the answer was lost in a crash");
            case Action.Cancel cancel ->
                isLeaving(cancel.job()) ? done("cancelled; the answer was lost in a crash") : failed(cancel.job());
            case Action.Reclaim reclaim -> reclaim(reclaim);
            case Action.Signal signal ->
                new Result.Unclear(
                        "interrupted: whether " + signal.signal() + " was sent leaves no trace; " + text(signal.job()));
            case Action.StopCopy s ->
                new Result.Failed("interrupted; a copy that still runs can be stopped by another order");
            case Action.AlterWalltime alter -> altered(alter);
            case Action.SetTier tier ->
                new Result.Failed("interrupted; moving it to the tier of " + tier.tier() + " work again does no harm; "
                        + text(tier.job()));
            case Action.SetPartitions choice ->
                new Result.Failed(
                        "interrupted; giving it the same partitions again does no harm; " + text(choice.job()));
            case Action.SetLimit limit ->
                new Result.Failed("interrupted; setting the limit of '" + limit.user() + "' again does no harm");
            case Action.DryRun d -> new Result.Failed("interrupted; ask again");
            case Action.Submit s -> throw new IllegalArgumentException("a submit is looked for by its tag");
            case Action.Make m -> throw new IllegalArgumentException("a make step is looked for by its session");
            case Action.CopyTree c -> throw new IllegalArgumentException("a copy is looked for by its session");
        };
    }

    private Result checkpoint(final JobKey key) {
        final Optional<JobKey> next = ended.stream()
                .filter(run -> run.job().equals(key))
                .map(AccountedRun::outcome)
                .filter(RunOutcome.Continued.class::isInstance)
                .map(outcome -> ((RunOutcome.Continued) outcome).continuedAs())
                .findFirst();
        if (next.isPresent()) {
            return new Result.Done(next.get(), "it goes on as " + next.get() + "; the answer was lost in a crash");
        }
        return wasPutBack(key)
                ? done("put back; the answer was lost in a crash")
                : new Result.Failed("interrupted: the job may have been told to save itself, but it was not put back; "
                        + text(key));
    }

    private Result altered(final Action.AlterWalltime alter) {
        final JobObserved job = live.job(alter.job());
        return job != null && job.walltime() != null && isRounded(alter.walltime(), job.walltime())
                ? done("altered; the answer was lost in a crash")
                : failed(alter.job());
    }

    /** Workload managers round up to their own grain, a minute at most. */
    private static boolean isRounded(final Duration wanted, final Duration seen) {
        final Duration more = seen.minus(wanted);
        return !more.isNegative() && more.compareTo(Duration.ofMinutes(1)) < 0;
    }

    private Result reclaim(final Action.Reclaim reclaim) {
        if (hasStarted(reclaim.beneficiary())) {
            return done("the beneficiary runs; the answer was lost in a crash");
        }
        final long left =
                reclaim.allPreemptions().stream().filter(this::hasLeft).count();
        return new Result.Failed(
                "interrupted: " + left + " of " + reclaim.victims().size()
                        + " victims left their cores and wait for their start, the beneficiary does not run; nothing is lost, decide anew");
    }

    private boolean hasLeft(final Preemption one) {
        return state(one.victim()) instanceof JobState.Suspended
                ? one.mode() == Preemption.Mode.SUSPEND
                : wasPutBack(one.victim());
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
            // Released to the local scheduler with nothing in its way: it starts at the next pass.
            case JobState.Queued q -> true;
            case JobState.Held h -> false;
            case JobState.Unsettled u -> true;
            case JobState.Unknown u -> false;
        };
    }

    private boolean wasPutBack(final JobKey key) {
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

    /** A start elsewhere moves the job first: cut off then, it waits in the other partition. */
    private Result notStarted(final Action.Start start) {
        final JobObserved job = live.job(start.job());
        return start.partition() == null || job == null
                ? failed(start.job())
                : new Result.Failed("interrupted before it started; " + text(start.job()) + " and waits in partition "
                        + job.partition());
    }

    private static Result done(final String detail) {
        return new Result.Done(null, detail);
    }

    private Result failed(final JobKey key) {
        return new Result.Failed("interrupted before it took effect; " + text(key));
    }
}
