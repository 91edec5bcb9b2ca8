package io.millrace.agent.action;

import io.millrace.agent.domain.Guard;
import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.Optional;

/** Ends a job, waiting or running. */
record CancelAction(Action.Cancel action) implements ShortAction {

    @Override
    public boolean onlyEnds() {
        return true;
    }

    @Override
    public Optional<Result.Refused> refusal(final Guard guard) {
        return guard.mustExist(action.job());
    }

    @Override
    public LiveCluster after(final LiveCluster live, final Instant now) {
        return live.with(action.job(), new JobState.Completing());
    }

    @Override
    public Optional<Result> execute(final Command command, final ActionContext with) {
        return ResultMapper.result(with.wlm().cancel(action.job()));
    }

    @Override
    public Result effect(final InterruptedCommand seen) {
        return seen.done(seen.isLeaving(action.job()), "cancelled", action.job());
    }
}
