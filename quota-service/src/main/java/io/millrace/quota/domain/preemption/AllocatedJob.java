package io.millrace.quota.domain.preemption;

import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Placement;
import java.time.Instant;
import java.util.List;

/**
 * A job that occupies cores.
 *
 * @param account the account in which the job is counted
 * @param since start time; submission time if the start is not known
 * @param placement what it requests of its nodes
 * @param nodes nodes of the job; empty if not known
 * @param running whether the newest revision shows it running; a job that is starting, ending or in an unknown state occupies cores but
 *     is not preempted and does not count as running
 * @param preemptible whether it can be preempted: it runs, is not interactive or protected, and has a mode
 * @param checkpoint how the job can be checkpointed
 * @param rerunnable whether the owner permits a requeue
 */
public record AllocatedJob(
        JobKey job,
        AccountKey account,
        Resources resources,
        Placement placement,
        Instant since,
        List<NodeName> nodes,
        boolean running,
        boolean preemptible,
        CheckpointMethod checkpoint,
        boolean rerunnable) {

    /** A job that occupies cores but is not preempted and does not count as running. */
    public static AllocatedJob notPreemptible(
            final JobKey job, final AccountKey accountKey, final Resources resources, final Instant since) {
        return new AllocatedJob(
                job,
                accountKey,
                resources,
                Placement.ANYWHERE,
                since,
                List.of(),
                false,
                false,
                new CheckpointMethod.None(),
                false);
    }

    /** The same job, not preemptible. */
    public AllocatedJob withoutPreemption() {
        return new AllocatedJob(
                job, account, resources, placement, since, nodes, running, false, checkpoint, rerunnable);
    }

    public UserName owner() {
        return account.owner();
    }

    public int cores() {
        return resources.cores();
    }
}
