package io.millrace.agent.action;

import io.millrace.agent.identity.SignedOrders;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.model.cluster.Capability;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Sets the guaranteed cores of a user in the workload manager. */
record SetLimitAction(Action.SetLimit action) implements ShortAction {

    @Override
    public Set<Capability> needs() {
        return Set.of(Capability.LIMIT);
    }

    @Override
    public Optional<String> unauthorized(final SignedOrders signed, final Instant now) {
        return signed.owner(action.user());
    }

    @Override
    public Optional<Result> execute(final Command command, final ActionContext with) {
        return ResultMapper.result(
                with.wlm().get(Limiting.class).setLimit(with.owners().toCluster(action.user()), action.cores()));
    }

    @Override
    public Result recover(final Command command, final Instant begun, final CrashRecovery recovery)
            throws InterruptedException {
        return recovery.untilAnswered(() -> recovery.with()
                .wlm()
                .get(Limiting.class)
                .isLimitSet(recovery.with().owners().toCluster(action.user()), action.cores())
                .map(isSet -> isSet
                        ? ResultMapper.done("the limit is set; the agent crashed before it answered")
                        : ResultMapper.failed(
                                "interrupted by a crash before the limit was set completely; it can be set again")));
    }
}
