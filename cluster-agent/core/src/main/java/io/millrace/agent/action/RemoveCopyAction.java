package io.millrace.agent.action;

import io.millrace.agent.domain.Guard;
import io.millrace.agent.identity.SignedOrders;
import io.millrace.model.cluster.Capability;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** It can be repeated after a crash. */
record RemoveCopyAction(Action.RemoveCopy action) implements LongAction {

    @Override
    public Set<Capability> needs() {
        return Set.of(Capability.TRANSFER);
    }

    @Override
    public boolean changesQueue() {
        return false;
    }

    @Override
    public boolean readsQueue() {
        return true;
    }

    @Override
    public Optional<String> unauthorized(final SignedOrders signed, final Instant now) {
        return signed.owner(action.owner()).or(() -> signed.removal(action, now));
    }

    @Override
    public Optional<Result.Refused> refusal(final Guard guard) {
        return guard.live()
                .jobOf(action.attempt())
                .flatMap(job -> Guard.stale("'" + action.directory() + "' is the directory of " + job.job()
                        + ", which is still in the queue"));
    }

    @Override
    public Result run(final Command command, final ActionContext with) {
        return with.copies().remove(action);
    }

    @Override
    public Result recover(final Command command, final Instant begun, final CrashRecovery recovery) {
        return recovery.with().copies().remove(action);
    }
}
