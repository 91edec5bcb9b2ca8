package io.millrace.agent.action;

import io.millrace.agent.domain.Guard;
import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.ArrayStarting;
import io.millrace.agent.wlm.capability.Moving;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Starts a job, or tasks of an array, on a directed cluster. */
record StartAction(Action.Start action) implements ShortAction {

    @Override
    public Set<Capability> needs() {
        if (action.tasks() != null) {
            return Set.of(Capability.START, Capability.START_TASKS);
        }
        return action.partition() == null ? Set.of(Capability.START) : Set.of(Capability.START, Capability.MOVE);
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
    public List<JobKey> changedJobs() {
        return List.of();
    }

    @Override
    public Optional<Result.Refused> refusal(final Guard guard) {
        return guard.mustBeStartable(action.job())
                .or(() -> guard.live().control() == Control.NATIVE
                        ? Guard.stale("the cluster is under native control; its own scheduler starts jobs")
                        : Guard.VALID)
                .or(() -> mustBeMovable(guard))
                .or(() -> guard.tasksMustWait(action))
                .or(() -> guard.mustFit(action.job(), action.count()));
    }

    /** A task of an array starts in another partition only where it can be moved without the others. */
    private Optional<Result.Refused> mustBeMovable(final Guard guard) {
        final JobObserved job = guard.live().job(action.job());
        return job == null
                        || job.detail().array() == null
                        || action.partition() == null
                        || action.partition().equals(job.partition())
                ? Guard.VALID
                : guard.offered()
                        .refusal("'start' of an array task in another partition", Set.of(Capability.MOVE_TASKS));
    }

    @Override
    public LiveCluster after(final LiveCluster live, final Instant now) {
        return live.started(action, now);
    }

    @Override
    public boolean isExecutedAlone(final WorkloadManager wlm) {
        return !(wlm.find(Starting.class) instanceof Starting starting && starting.startsTogether());
    }

    @Override
    public Optional<Result> execute(final Command command, final ActionContext with) {
        if (action.tasks() != null) {
            return ResultMapper.started(with.wlm().get(ArrayStarting.class).start(action.job(), action.tasks()));
        }
        return ResultMapper.result(
                action.partition() == null
                        ? with.wlm().get(Starting.class).start(action.job())
                        : with.wlm().get(Moving.class).start(action.job(), action.partition()));
    }

    @Override
    public Result effect(final InterruptedCommand seen) {
        if (action.tasks() != null) {
            return seen.tasks(action, action.tasks());
        }
        if (seen.hasStarted(action.job())) {
            return InterruptedCommand.done("started");
        }
        final JobObserved job = seen.job(action.job());
        // A start in another partition moves the job first; after a crash in between it is pending there.
        return action.partition() == null || job == null
                ? seen.failed(action.job())
                : new Result.Failed("interrupted by a crash before it started; " + seen.text(action.job())
                        + " and is pending in partition " + job.partition());
    }
}
