package io.millrace.agent.action;

import io.millrace.agent.identity.SignedOrders;
import io.millrace.agent.transfer.TreeCopies;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.model.cluster.Capability;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** It can be repeated after a crash: files that have arrived are not copied again. */
record CopyTreeAction(Action.CopyTree action) implements LongAction {

    @Override
    public Set<Capability> needs() {
        return Set.of(Capability.TRANSFER);
    }

    @Override
    public boolean changesQueue() {
        return false;
    }

    @Override
    public Optional<String> unauthorized(final SignedOrders signed, final Instant now) {
        return signed.owner(action.owner()).or(() -> signed.copy(action, now));
    }

    @Override
    public Result run(final Command command, final ActionContext with) {
        return switch (with.staging().prepare(action.owner(), action.to().path(), TreeCopies.authority(action))) {
            case Answer.Ok<Accepted> ready -> with.copies().copy(action);
            case Answer.Trouble<Accepted> trouble -> ResultMapper.failed(trouble.reason());
        };
    }

    @Override
    public Result recover(final Command command, final Instant begun, final CrashRecovery recovery) {
        return recovery.with().copies().copy(action);
    }
}
