package io.millrace.submit.domain.job;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.job.JobStatus;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Plan;
import io.millrace.model.transfer.StagedCopy;
import io.millrace.model.transfer.Transfer;
import io.millrace.submit.domain.policy.PartitionOpening;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that explains the current state of a job.
 *
 * @param global null for a job that was submitted directly to a cluster
 * @param local the local job while it is in a queue
 * @param copies of its directory on other clusters, after its end
 * @param partitionOpenings other partitions that a sufficient priority opens to the waiting job
 * @param stalled services that have not decided for more than a minute
 */
public record JobEvidence(
        @Nullable StoredJob global,
        @Nullable JobObserved local,
        List<Entitlement> entitlements,
        List<Plan> plans,
        List<Classified> classes,
        List<CommandHistory> commands,
        List<Transfer> transfers,
        List<StagedCopy> copies,
        List<RunEnded> runs,
        List<PartitionOpening> partitionOpenings,
        List<ServiceProgress> stalled) {
    /** The state of the job; of one that has left its queue, how its last run ended. */
    public JobStatus state() {
        if (global != null) {
            return global.state();
        }
        return local == null ? JobStatus.of(runs.getLast().outcome()) : JobStatus.of(local);
    }
}
