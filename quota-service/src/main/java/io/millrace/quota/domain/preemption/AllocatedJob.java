package io.millrace.quota.domain.preemption;

import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import java.time.Instant;
import java.util.List;

/**
 * A job that occupies cores.
 *
 * @param account with whose jobs it is counted
 * @param since when it started; its submission where the start is not known
 * @param nodes where it runs; empty if not known
 * @param running whether the newest revision shows it running; a job that is just starting, ending or in an unknown state occupies its
 *     cores but is neither taken nor relied on
 * @param preemptible whether it may be taken: it runs, nobody sits at it, nothing protects it, and there is a way
 * @param checkpoint how it can be saved
 * @param rerunnable whether its owner allows it to be put back into the queue
 */
public record AllocatedJob(
        JobKey job,
        AccountKey account,
        Resources resources,
        Instant since,
        List<NodeName> nodes,
        boolean running,
        boolean preemptible,
        CheckpointMethod checkpoint,
        boolean rerunnable) {

    /** One that is neither taken nor relied on. */
    public static AllocatedJob notPreemptible(
            final JobKey job, final AccountKey claimant, final Resources resources, final Instant since) {
        return new AllocatedJob(
                job, claimant, resources, since, List.of(), false, false, new CheckpointMethod.None(), false);
    }

    /** The same, but nobody may take it. */
    public AllocatedJob withoutPreemption() {
        return new AllocatedJob(job, account, resources, since, nodes, running, false, checkpoint, rerunnable);
    }

    public UserName owner() {
        return account.owner();
    }

    public int cores() {
        return resources.cores();
    }
}
