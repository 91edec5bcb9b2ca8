package io.millrace.agent.checkpoint;

import io.millrace.agent.observe.RunEndResolver;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.NativeCheckpointing;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.CheckpointTimeoutAction;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Clock;

/**
 * Checkpoints a running job by its method and requeues it held, with the rest of its walltime. A job that ends during the checkpoint has
 * ended; a job that is not saved in time is handled by its policy.
 */
public final class CheckpointExecutor {

    private final WorkloadManager wlm;
    private final CheckpointRequeue cut;
    private final ApplicationCheckpoint application;
    private final Clock clock;

    public CheckpointExecutor(
            final WorkloadManager wlm,
            final CheckpointRequeue cut,
            final ApplicationCheckpoint application,
            final Clock clock) {
        this.wlm = wlm;
        this.cut = cut;
        this.application = application;
        this.clock = clock;
    }

    public Result run(final Command command, final Action.Checkpoint order) throws InterruptedException {
        return switch (cut.running(order.job())) {
            case Answer.Trouble<JobObserved> trouble -> ResultMapper.failed(trouble.reason());
            case Answer.Ok<JobObserved> job -> run(command, order.method(), job.value());
        };
    }

    private Result run(final Command command, final CheckpointMethod by, final JobObserved job)
            throws InterruptedException {
        try (RunEndResolver.Pause pause = cut.pause(job.job())) {
            return switch (by) {
                case CheckpointMethod.None none -> requeueUnsaved(job, "the job has no checkpoint method", command);
                case CheckpointMethod.Application method ->
                    resultOf(application.run(job, method, command), method.onTimeout(), job, command);
                case CheckpointMethod.Native method -> vacate(job, method, command);
            };
        }
    }

    private Result vacate(final JobObserved job, final CheckpointMethod.Native method, final Command command)
            throws InterruptedException {
        while (true) {
            switch (wlm.get(NativeCheckpointing.class).checkpointAndVacate(job.job(), method.grace())) {
                case Answer.Ok<NativeCheckpointing.VacatedJob> ok -> {
                    return cut.vacated(job, ok.value());
                }
                case Answer.Trouble<NativeCheckpointing.VacatedJob> trouble -> {
                    final boolean late = trouble.kind() == Answer.Kind.TIMEOUT;
                    if (method.onTimeout() == CheckpointTimeoutAction.WAIT
                            && late
                            && clock.instant().isBefore(command.validUntil())) {
                        continue;
                    }
                    return resultOf(
                            new CheckpointAttempt.NotSaved(trouble.reason(), late), method.onTimeout(), job, command);
                }
            }
        }
    }

    private Result resultOf(
            final CheckpointAttempt saving,
            final CheckpointTimeoutAction onTimeout,
            final JobObserved job,
            final Command command)
            throws InterruptedException {
        return switch (saving) {
            case CheckpointAttempt.Answered over -> over.result();
            case CheckpointAttempt.NotSaved not
            when onTimeout == CheckpointTimeoutAction.REQUEUE && not.stillRunning() ->
                requeueUnsaved(job, not.reason(), command);
            case CheckpointAttempt.NotSaved not -> ResultMapper.failed(not.reason());
        };
    }

    private Result requeueUnsaved(final JobObserved job, final String reason, final Command command) {
        return switch (wlm.get(Requeueing.class).requeueHeld(job.job(), UserSentence.of(command, "requeued"))) {
            case Answer.Ok<Accepted> ok ->
                ResultMapper.done("requeued and held without a checkpoint, its work is lost: " + reason);
            case Answer.Trouble<Accepted> trouble ->
                ResultMapper.failed(reason + "; and not requeued: " + trouble.reason());
        };
    }
}
