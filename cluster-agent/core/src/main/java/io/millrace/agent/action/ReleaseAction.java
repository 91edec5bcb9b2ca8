package io.millrace.agent.action;

import io.millrace.agent.domain.Guard;
import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Lifts the submission hold. */
record ReleaseAction(Action.Release action) implements ShortAction {

    @Override
    public Set<Capability> needs() {
        return Set.of(Capability.HOLD);
    }

    @Override
    public boolean isGrouped() {
        return true;
    }

    @Override
    public Optional<JobKey> startedJob() {
        return Optional.of(action.job());
    }

    @Override
    public Optional<Result.Refused> refusal(final Guard guard) {
        return guard.existing(
                action.job(),
                job -> job.state().equals(new JobState.Held(HoldKind.SUBMISSION))
                        ? Guard.VALID
                        : Guard.stale(action.job() + " has no submission hold; it is "
                                + job.state().word()));
    }

    @Override
    public LiveCluster after(final LiveCluster live, final Instant now) {
        return live.with(
                action.job(),
                live.control() == Control.DIRECTED ? new JobState.Held(HoldKind.ENTRY) : new JobState.Queued());
    }

    @Override
    public Optional<Result> execute(final Command command, final ActionContext with) {
        return ResultMapper.result(with.wlm().get(Holding.class).release(action.job(), HoldKind.SUBMISSION));
    }

    @Override
    public Result effect(final InterruptedCommand seen) {
        return seen.done(!seen.hasSubmissionHold(action.job()), "released", action.job());
    }
}
