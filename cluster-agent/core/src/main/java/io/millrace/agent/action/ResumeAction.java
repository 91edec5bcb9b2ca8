package io.millrace.agent.action;

import io.millrace.agent.domain.Guard;
import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Continues a suspended job. */
record ResumeAction(Action.Resume action) implements ShortAction {

    @Override
    public Set<Capability> needs() {
        return Set.of(Capability.SUSPEND);
    }

    @Override
    public Optional<JobKey> startedJob() {
        return Optional.of(action.job());
    }

    @Override
    public Optional<Result.Refused> refusal(final Guard guard) {
        return guard.existing(
                action.job(),
                job -> job.state() instanceof JobState.Suspended
                        ? guard.mustFit(action.job(), 1)
                        : Guard.stale(action.job() + " is " + job.state().word() + ", not suspended"));
    }

    @Override
    public LiveCluster after(final LiveCluster live, final Instant now) {
        final JobObserved job = live.job(action.job());
        return job == null
                ? live
                : live.with(
                        action.job(),
                        new JobState.Running(now, List.of()),
                        job.resources().cores());
    }

    @Override
    public Optional<Result> execute(final Command command, final ActionContext with) {
        return ResultMapper.result(with.wlm().get(Suspending.class).resume(action.job()));
    }

    @Override
    public Result effect(final InterruptedCommand seen) {
        return seen.done(!(seen.state(action.job()) instanceof JobState.Suspended), "resumed", action.job());
    }
}
