package io.millrace.agent.action;

import io.millrace.agent.domain.Guard;
import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.agent.wlm.capability.PartitionChoosing;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Capability;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Lets a waiting job start in any of these partitions. */
record SetPartitionsAction(Action.SetPartitions action) implements ShortAction {

    @Override
    public Set<Capability> needs() {
        return Set.of(action.partitions().size() == 1 ? Capability.ALTER : Capability.PARTITION_CHOICE);
    }

    @Override
    public List<JobKey> changedJobs() {
        return List.of();
    }

    @Override
    public Optional<Result.Refused> refusal(final Guard guard) {
        return guard.mustBePending(action.job());
    }

    @Override
    public Optional<Result> execute(final Command command, final ActionContext with) {
        return ResultMapper.result(
                action.partitions().size() == 1
                        ? with.wlm()
                                .get(Altering.class)
                                .setPartition(action.job(), action.partitions().getFirst())
                        : with.wlm().get(PartitionChoosing.class).setPartitions(action.job(), action.partitions()));
    }

    @Override
    public Result effect(final InterruptedCommand seen) {
        return new Result.Failed("interrupted by a crash; the partitions can be set again; " + seen.text(action.job()));
    }
}
