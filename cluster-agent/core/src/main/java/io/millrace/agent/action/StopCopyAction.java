package io.millrace.agent.action;

import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.model.cluster.Capability;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.util.Optional;
import java.util.Set;

/** What has arrived stays. */
record StopCopyAction(Action.StopCopy action) implements ShortAction {

    @Override
    public Set<Capability> needs() {
        return Set.of(Capability.TRANSFER);
    }

    @Override
    public boolean changesQueue() {
        return false;
    }

    @Override
    public boolean onlyEnds() {
        return true;
    }

    @Override
    public Optional<Result> execute(final Command command, final ActionContext with) {
        return Optional.of(with.copies().stop(action));
    }

    @Override
    public Result effect(final InterruptedCommand seen) {
        return new Result.Failed("interrupted by a crash; send the command again if the copy still runs");
    }
}
