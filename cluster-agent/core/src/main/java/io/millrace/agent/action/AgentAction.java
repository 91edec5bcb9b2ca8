package io.millrace.agent.action;

import io.millrace.agent.domain.Guard;
import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.agent.domain.LiveCluster;
import io.millrace.agent.identity.SignedOrders;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Capability;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** An action and all that the agent knows of it. */
public sealed interface AgentAction permits ShortAction, LongAction {

    /** The only place that lists the actions; one that is missing does not compile. */
    static AgentAction of(final Action action) {
        return switch (action) {
            case Action.Submit a -> new SubmitAction(a);
            case Action.Make a -> new MakeAction(a);
            case Action.Start a -> new StartAction(a);
            case Action.Hold a -> new HoldAction(a);
            case Action.Release a -> new ReleaseAction(a);
            case Action.Requeue a -> new RequeueAction(a);
            case Action.Suspend a -> new SuspendAction(a);
            case Action.Resume a -> new ResumeAction(a);
            case Action.Checkpoint a -> new CheckpointAction(a);
            case Action.Signal a -> new SignalAction(a);
            case Action.Cancel a -> new CancelAction(a);
            case Action.Reclaim a -> new ReclaimAction(a);
            case Action.CopyTree a -> new CopyTreeAction(a);
            case Action.StopCopy a -> new StopCopyAction(a);
            case Action.RemoveCopy a -> new RemoveCopyAction(a);
            case Action.AlterWalltime a -> new AlterWalltimeAction(a);
            case Action.AlterPending a -> new AlterPendingAction(a);
            case Action.SetTier a -> new SetTierAction(a);
            case Action.SetPartitions a -> new SetPartitionsAction(a);
            case Action.SetLimit a -> new SetLimitAction(a);
            case Action.DryRun a -> new DryRunAction(a);
        };
    }

    Action action();

    /** What the workload manager must offer. */
    default Set<Capability> needs() {
        return Set.of();
    }

    /** Whether it changes the queue, so that its effect shows in a later revision. */
    default boolean changesQueue() {
        return true;
    }

    /** Whether it is validated on the live cluster. Make steps, copies and dry runs do not need an available workload manager. */
    default boolean readsQueue() {
        return changesQueue();
    }

    /** Whether it takes no cores that another command frees, and its effect can be found out after a crash; then it may begin with others. */
    default boolean isGrouped() {
        return false;
    }

    /** Whether a fenced cluster still executes it, because it only ends something. */
    default boolean onlyEnds() {
        return false;
    }

    /** The job of the queue that it starts, releases or continues. */
    default Optional<JobKey> startedJob() {
        return Optional.empty();
    }

    /** The jobs of the queue that it names. */
    default List<JobKey> namedJobs() {
        return action() instanceof Action.OnJob named ? List.of(named.job()) : List.of();
    }

    /** The jobs that it changes in any way other than starting them. */
    default List<JobKey> changedJobs() {
        return namedJobs();
    }

    /** Why the user with whose rights it acts has not authorized it; empty for an action with the rights of the agent. */
    default Optional<String> unauthorized(final SignedOrders signed, final Instant now) {
        return Optional.empty();
    }

    /** Why it cannot be executed on the live cluster. */
    default Optional<Result.Refused> refusal(final Guard guard) {
        return Guard.VALID;
    }

    /** The cluster with its expected effect: cores of started jobs are taken, cores of ended jobs are not free yet. */
    default LiveCluster after(final LiveCluster live, final Instant now) {
        return live;
    }

    /** What it did before a crash, as far as the queue and accounting show it. */
    default Result effect(final InterruptedCommand seen) {
        return new Result.Unclear("interrupted by a crash, and its effect is unknown");
    }

    /** Finds out what it did before a crash, or while the workload manager did not answer, without executing it again (promise 3). */
    default Result recover(final Command command, final Instant begun, final CrashRecovery recovery)
            throws InterruptedException {
        return recovery.inQueue(this, begun);
    }

    /** Called when its answer is in Kafka. */
    default void answered(final Command command, final Result result, final ActionContext with) {}
}
