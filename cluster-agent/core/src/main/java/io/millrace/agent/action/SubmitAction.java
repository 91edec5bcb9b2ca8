package io.millrace.agent.action;

import io.millrace.agent.identity.SignedOrders;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.model.JobKey;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.Optional;

/** Its tag identifies the job after a crash. */
record SubmitAction(Action.Submit action) implements ShortAction {

    @Override
    public boolean isGrouped() {
        return true;
    }

    @Override
    public Optional<String> unauthorized(final SignedOrders signed, final Instant now) {
        return signed.owner(action.owner())
                .or(() -> signed.project(action.spec()))
                .or(() -> signed.run(action, now));
    }

    @Override
    public Optional<Result> execute(final Command command, final ActionContext with) {
        final PreparedOwners.Prepared owner = with.prepared().of(command.id());
        final Answer<JobKey> answer = owner.directory()
                .then(ready ->
                        with.wlm().submit(with.submission(action, owner.umask(), PreparedOwners.authority(action))));
        return ResultMapper.result(answer, job -> new Result.Done(job, "submitted as " + job));
    }

    @Override
    public Result recover(final Command command, final Instant begun, final CrashRecovery recovery)
            throws InterruptedException {
        return recovery.untilAnswered(() -> {
            if (!(recovery.with().wlm().find(AttemptFinding.class) instanceof AttemptFinding finding)) {
                return Answer.ok(new Result.Unclear(
                        "interrupted by a crash, and this workload manager cannot find jobs by their tag"));
            }
            return finding.find(action.attempt(), recovery.with().owners().toCluster(action.owner()))
                    .map(found -> found.isEmpty()
                            ? new Result.Failed("interrupted by a crash before it took effect: no job carries tag "
                                    + action.attempt())
                            : new Result.Done(
                                    found.get(0).job(),
                                    "submitted as " + found.get(0).job() + "; the agent crashed before it answered"));
        });
    }

    @Override
    public void answered(final Command command, final Result result, final ActionContext with) {
        with.prepared().forget(command.id());
        if (result instanceof Result.Done done && done.job() != null) {
            with.submitted().accept(action, done.job());
        }
    }
}
