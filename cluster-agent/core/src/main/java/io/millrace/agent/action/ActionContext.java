package io.millrace.agent.action;

import io.millrace.agent.checkpoint.CheckpointExecutor;
import io.millrace.agent.exec.Authority;
import io.millrace.agent.exec.Turns;
import io.millrace.agent.reclaim.ReclaimExecutor;
import io.millrace.agent.run.MakeStep;
import io.millrace.agent.run.StagingDirectories;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.transfer.TreeCopies;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.JobKey;
import io.millrace.model.command.Action;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the agent with which actions are executed.
 *
 * @param dryRuns one at a time for each owner
 * @param submitted called for each submitted job
 */
public record ActionContext(
        WorkloadManager wlm,
        OwnerAccounts owners,
        StagingDirectories staging,
        PreparedOwners prepared,
        ReclaimExecutor reclaim,
        CheckpointExecutor checkpoint,
        MakeStep make,
        TreeCopies copies,
        Turns dryRuns,
        BiConsumer<Action.Submit, JobKey> submitted) {

    public ActionContext(
            final WorkloadManager wlm,
            final OwnerAccounts owners,
            final StagingDirectories staging,
            final ReclaimExecutor reclaim,
            final CheckpointExecutor checkpoint,
            final MakeStep make,
            final TreeCopies copies,
            final BiConsumer<Action.Submit, JobKey> submitted) {
        this(
                wlm,
                owners,
                staging,
                new PreparedOwners(owners, staging),
                reclaim,
                checkpoint,
                make,
                copies,
                new Turns(),
                submitted);
    }

    /** A submission as the workload manager takes it, with the names of this cluster. */
    Submission submission(final Action.OfOwner order, final @Nullable String umask, final Authority authority) {
        return new Submission(
                order.attempt(),
                owners.toCluster(order.owner()),
                owners.toCluster(order.spec()),
                order.directory(),
                owners.modules(),
                umask,
                owners.onThisCluster(authority));
    }
}
