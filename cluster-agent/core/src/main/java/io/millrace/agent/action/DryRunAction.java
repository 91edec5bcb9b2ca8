package io.millrace.agent.action;

import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.agent.exec.Authority;
import io.millrace.agent.identity.SignedOrders;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.agent.wlm.capability.DryRunning;
import io.millrace.model.cluster.Capability;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.DryRunResult;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Reports how this cluster would submit a job. */
record DryRunAction(Action.DryRun action) implements LongAction {

    @Override
    public Set<Capability> needs() {
        return Set.of(Capability.DRY_RUN);
    }

    @Override
    public boolean changesQueue() {
        return false;
    }

    @Override
    public Optional<String> unauthorized(final SignedOrders signed, final Instant now) {
        return signed.owner(action.owner()).or(() -> signed.dryRun(action, now));
    }

    @Override
    public Result run(final Command command, final ActionContext with) {
        final Answer<DryRunResult> answer = with.dryRuns()
                .in(
                        "another dry run of '" + action.owner() + "'",
                        () -> with.wlm()
                                .get(DryRunning.class)
                                .dryRun(with.submission(
                                        action,
                                        with.owners().loginUmask(action.owner()),
                                        Authority.of(Authority.Kind.DRY_RUN, action.signature(), action.attempt()))));
        return switch (answer) {
            case Answer.Ok<DryRunResult> ok -> Result.Done.dryRun("dry run; no job was submitted", ok.value());
            case Answer.Trouble<DryRunResult> trouble -> ResultMapper.failed(trouble.reason());
        };
    }

    @Override
    public Result effect(final InterruptedCommand seen) {
        return new Result.Failed("interrupted by a crash; repeat the dry run");
    }
}
