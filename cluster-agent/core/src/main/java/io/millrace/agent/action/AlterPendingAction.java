package io.millrace.agent.action;

import io.millrace.agent.domain.Guard;
import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.util.Optional;
import java.util.Set;

/** Changes the name or the cores of a waiting job. */
record AlterPendingAction(Action.AlterPending action) implements ShortAction {

    @Override
    public Set<Capability> needs() {
        return Set.of(Capability.ALTER);
    }

    @Override
    public Optional<Result.Refused> refusal(final Guard guard) {
        return guard.mustBePending(action.job());
    }

    @Override
    public Optional<Result> execute(final Command command, final ActionContext with) {
        return ResultMapper.result(
                with.wlm().get(Altering.class).alterPending(action.job(), action.jobName(), action.cores()));
    }

    @Override
    public Result effect(final InterruptedCommand seen) {
        final JobObserved job = seen.job(action.job());
        return seen.done(
                job != null
                        && (action.jobName() == null || action.jobName().equals(job.name()))
                        && (action.cores() == null
                                || action.cores() == job.resources().cores()),
                "altered",
                action.job());
    }
}
