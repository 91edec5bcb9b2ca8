package io.millrace.agent.domain;

import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a command that was started and not answered, derived from the queue and from accounting without executing it again (promise
 * 3).
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

    /** The key under which a job continues whose run ended with a checkpoint. */
    public Optional<JobKey> continuation(final JobKey key) {
        return ended.stream()
                .filter(run -> run.job().equals(key))
                .map(Run::outcome)
                .filter(RunOutcome.Continued.class::isInstance)
                .map(outcome -> ((RunOutcome.Continued) outcome).continuedAs())
                .findFirst();
    }

    public boolean hasStarted(final JobKey key) {
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

    public boolean wasRequeued(final JobKey key) {
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

    public boolean isLeaving(final JobKey key) {
        final JobState state = state(key);
        return state == null || state instanceof JobState.Completing || state instanceof JobState.Unsettled;
    }

    public boolean hasSubmissionHold(final JobKey key) {
        return new JobState.Held(HoldKind.SUBMISSION).equals(state(key));
    }

    /** The job in the queue; null if it has left it. */
    public @Nullable JobObserved job(final JobKey key) {
        return live.job(key);
    }

    public @Nullable JobState state(final JobKey key) {
        final JobObserved job = live.job(key);
        return job == null ? null : job.state();
    }

    public String text(final JobKey key) {
        final JobState state = state(key);
        return key + (state == null ? " has left the queue" : " is " + state);
    }

    /** A task that is no longer held was released, or has started or ended since. */
    public Result tasks(final Action.Start start, final String named) {
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

    /** {@code Done}, if it took effect. */
    public Result done(final boolean tookEffect, final String did, final JobKey key) {
        return tookEffect ? done(did) : failed(key);
    }

    /** @param did what was done, such as {@code held} */
    public static Result done(final String did) {
        return new Result.Done(null, did + "; the agent crashed before it answered");
    }

    public Result failed(final JobKey key) {
        return new Result.Failed("interrupted by a crash before it took effect; " + text(key));
    }
}
