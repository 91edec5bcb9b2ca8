package io.millrace.agent.action;

import io.millrace.agent.domain.Guard;
import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Stops the processes of a running job, which keeps its memory. */
record SuspendAction(Action.Suspend action) implements ShortAction {

    @Override
    public Set<Capability> needs() {
        return Set.of(Capability.SUSPEND);
    }

    @Override
    public Optional<Result.Refused> refusal(final Guard guard) {
        return guard.mustRun(action.job());
    }

    @Override
    public LiveCluster after(final LiveCluster live, final Instant now) {
        final JobObserved job = live.job(action.job());
        return job != null && job.state() instanceof JobState.Running running
                ? live.with(action.job(), new JobState.Suspended(running.startedAt(), running.nodes()))
                : live;
    }

    @Override
    public Optional<Result> execute(final Command command, final ActionContext with) {
        return ResultMapper.result(with.wlm().get(Suspending.class).suspend(action.job()));
    }

    @Override
    public Result effect(final InterruptedCommand seen) {
        return seen.done(seen.state(action.job()) instanceof JobState.Suspended, "suspended", action.job());
    }
}
