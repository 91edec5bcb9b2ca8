package io.millrace.agent.action;

import io.millrace.agent.domain.Guard;
import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Sets the submission hold of a waiting job again. */
record HoldAction(Action.Hold action) implements ShortAction {

    @Override
    public Set<Capability> needs() {
        return Set.of(Capability.HOLD);
    }

    @Override
    public Optional<Result.Refused> refusal(final Guard guard) {
        return guard.mustBePending(action.job());
    }

    @Override
    public LiveCluster after(final LiveCluster live, final Instant now) {
        return live.with(action.job(), new JobState.Held(HoldKind.SUBMISSION));
    }

    @Override
    public Optional<Result> execute(final Command command, final ActionContext with) {
        return ResultMapper.result(with.wlm()
                .get(Holding.class)
                .hold(action.job(), HoldKind.SUBMISSION, UserSentence.of(command, "held")));
    }

    @Override
    public Result effect(final InterruptedCommand seen) {
        return seen.done(seen.hasSubmissionHold(action.job()), "held", action.job());
    }
}
