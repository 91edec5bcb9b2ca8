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
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Sets the walltime limit of a job. */
record AlterWalltimeAction(Action.AlterWalltime action) implements ShortAction {

    @Override
    public Set<Capability> needs() {
        return Set.of(Capability.ALTER);
    }

    @Override
    public Optional<Result.Refused> refusal(final Guard guard) {
        return guard.mustExist(action.job());
    }

    @Override
    public Optional<Result> execute(final Command command, final ActionContext with) {
        return ResultMapper.result(with.wlm().get(Altering.class).setWalltime(action.job(), action.walltime()));
    }

    @Override
    public Result effect(final InterruptedCommand seen) {
        final JobObserved job = seen.job(action.job());
        return seen.done(
                job != null && job.walltime() != null && isRounded(action.walltime(), job.walltime()),
                "altered",
                action.job());
    }

    /** Workload managers round up to their own granularity, at most a minute. */
    private static boolean isRounded(final Duration wanted, final Duration seen) {
        final Duration more = seen.minus(wanted);
        return !more.isNegative() && more.compareTo(Duration.ofMinutes(1)) < 0;
    }
}
