package io.millrace.agent.action;

import io.millrace.agent.domain.Guard;
import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Ends the run and queues the job again. */
record RequeueAction(Action.Requeue action) implements ShortAction {

    @Override
    public Set<Capability> needs() {
        return Set.of(Capability.REQUEUE);
    }

    @Override
    public Optional<Result.Refused> refusal(final Guard guard) {
        return guard.mustRun(action.job());
    }

    @Override
    public LiveCluster after(final LiveCluster live, final Instant now) {
        return live.with(action.job(), new JobState.Completing());
    }

    @Override
    public Optional<Result> execute(final Command command, final ActionContext with) {
        return ResultMapper.result(
                with.wlm().get(Requeueing.class).requeue(action.job(), UserSentence.of(command, "requeued")));
    }

    @Override
    public Result effect(final InterruptedCommand seen) {
        return seen.done(seen.wasRequeued(action.job()), "requeued", action.job());
    }
}
