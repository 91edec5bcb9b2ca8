package io.millrace.agent.action;

import io.millrace.agent.identity.SignedOrders;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.Optional;

/** Its session identifies the make step after a crash. */
record MakeAction(Action.Make action) implements LongAction {

    @Override
    public boolean changesQueue() {
        return false;
    }

    @Override
    public Optional<String> unauthorized(final SignedOrders signed, final Instant now) {
        return signed.owner(action.owner()).or(() -> signed.run(action, now));
    }

    @Override
    public Result run(final Command command, final ActionContext with) throws InterruptedException {
        return with.make().run(command.id(), action);
    }

    @Override
    public Result recover(final Command command, final Instant begun, final CrashRecovery recovery)
            throws InterruptedException {
        return recovery.with().make().recover(command.id(), action);
    }
}
