package io.millrace.agent.domain;

import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.command.Action;
import io.millrace.model.command.Preemption;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/** What the workload manager of a cluster must offer for an action. */
final class RequiredCapabilities {

    private RequiredCapabilities() {}

    /** A new set, which the caller may change. */
    static Set<Capability> of(final Action action) {
        return switch (action) {
            case Action.Submit a -> EnumSet.noneOf(Capability.class);
            case Action.Cancel a -> EnumSet.noneOf(Capability.class);
            case Action.Make a -> EnumSet.noneOf(Capability.class);
            case Action.Start a when a.tasks() != null -> EnumSet.of(Capability.START, Capability.START_TASKS);
            case Action.Start a when a.partition() != null -> EnumSet.of(Capability.START, Capability.MOVE);
            case Action.Start a -> EnumSet.of(Capability.START);
            case Action.Hold a -> EnumSet.of(Capability.HOLD);
            case Action.Release a -> EnumSet.of(Capability.HOLD);
            case Action.Requeue a -> EnumSet.of(Capability.REQUEUE);
            case Action.Suspend a -> EnumSet.of(Capability.SUSPEND);
            case Action.Resume a -> EnumSet.of(Capability.SUSPEND);
            case Action.Signal a -> EnumSet.of(Capability.SIGNAL);
            case Action.Checkpoint a -> EnumSet.of(of(a.method()));
            case Action.AlterWalltime a -> EnumSet.of(Capability.ALTER);
            case Action.AlterPending a -> EnumSet.of(Capability.ALTER);
            case Action.SetTier a -> EnumSet.of(Capability.TIER);
            case Action.SetPartitions a ->
                EnumSet.of(a.partitions().size() == 1 ? Capability.ALTER : Capability.PARTITION_CHOICE);
            case Action.SetLimit a -> EnumSet.of(Capability.LIMIT);
            case Action.DryRun a -> EnumSet.of(Capability.DRY_RUN);
            case Action.Reclaim a -> {
                final Set<Capability> all = EnumSet.of(Capability.RECLAIM);
                a.allPreemptions().forEach(one -> all.add(of(one)));
                if (a.tasks() != null) {
                    all.add(Capability.START_TASKS);
                }
                yield all;
            }
            case Action.CopyTree a -> EnumSet.of(Capability.TRANSFER);
            case Action.StopCopy a -> EnumSet.of(Capability.TRANSFER);
            case Action.RemoveCopy a -> EnumSet.of(Capability.TRANSFER);
        };
    }

    /** A job without a checkpoint method is requeued instead. */
    private static Capability of(final CheckpointMethod method) {
        return method.needed().orElse(Capability.REQUEUE);
    }

    private static Capability of(final Preemption how) {
        return switch (how.mode()) {
            case SUSPEND -> Capability.SUSPEND;
            case CHECKPOINT -> of(Objects.requireNonNull(how.checkpointMethod(), "a checkpoint has a method"));
            case REQUEUE -> Capability.RECLAIM;
        };
    }
}
