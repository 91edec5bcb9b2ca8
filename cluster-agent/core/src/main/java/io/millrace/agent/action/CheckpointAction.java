package io.millrace.agent.action;

import io.millrace.agent.domain.Guard;
import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Saves a running job by its method and puts it back into the queue, held. */
record CheckpointAction(Action.Checkpoint action) implements LongAction {

    @Override
    public Set<Capability> needs() {
        return Set.of(needed(action.method()));
    }

    /** A job without a checkpoint method is requeued instead. */
    static Capability needed(final CheckpointMethod method) {
        return method.needed().orElse(Capability.REQUEUE);
    }

    @Override
    public Optional<Result.Refused> refusal(final Guard guard) {
        final String marker =
                action.method() instanceof CheckpointMethod.Application application ? application.marker() : "none";
        if (marker.isEmpty()
                || marker.startsWith("/")
                || List.of(marker.split("/")).contains("..")) {
            return Guard.stale("checkpoint marker '" + marker + "' is not a file name relative to the job's directory");
        }
        return guard.mustRun(action.job());
    }

    @Override
    public Result run(final Command command, final ActionContext with) throws InterruptedException {
        return with.checkpoint().run(command, action);
    }

    @Override
    public Result effect(final InterruptedCommand seen) {
        final Optional<JobKey> next = seen.continuation(action.job());
        if (next.isPresent()) {
            return new Result.Done(
                    next.get(), "it continues as " + next.get() + "; the agent crashed before it answered");
        }
        return seen.wasRequeued(action.job())
                ? InterruptedCommand.done("requeued")
                : new Result.Failed("interrupted by a crash: the job may have been signalled, but it was not requeued; "
                        + seen.text(action.job()));
    }

    @Override
    public Result recover(final Command command, final Instant begun, final CrashRecovery recovery)
            throws InterruptedException {
        return recovery.checkpoints().completed(action.job(), recovery.inQueue(this, begun));
    }
}
