package io.millrace.agent.action;

import io.millrace.agent.domain.Guard;
import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.model.cluster.Capability;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.util.Optional;
import java.util.Set;

/** Sends a signal to the processes of a job. */
record SignalAction(Action.Signal action) implements ShortAction {

    @Override
    public Set<Capability> needs() {
        return Set.of(Capability.SIGNAL);
    }

    @Override
    public Optional<Result.Refused> refusal(final Guard guard) {
        return guard.mustRun(action.job());
    }

    @Override
    public Optional<Result> execute(final Command command, final ActionContext with) {
        return ResultMapper.result(with.wlm().get(Signalling.class).signal(action.job(), action.signal()));
    }

    @Override
    public Result effect(final InterruptedCommand seen) {
        return new Result.Unclear("interrupted by a crash: it is unknown whether " + action.signal() + " was sent; "
                + seen.text(action.job()));
    }
}
