package io.millrace.submit.domain.job;

import io.millrace.submit.domain.policy.PartitionOpening;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Plan;
import io.millrace.model.transfer.Transfer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is known about why a job is where it is.
 *
 * @param global null if the question is about a cluster's own job
 * @param local the local job while a queue has it
 * @param openings other partitions that a priority could open to it while it waits
 */
public record JobEvidence(
        @Nullable StoredJob global,
        @Nullable JobObserved local,
        List<Entitlement> entitlements,
        List<Plan> plans,
        List<Classified> classes,
        List<CommandHistory> commands,
        List<Transfer> transfers,
        List<RunEnded> runs,
        List<PartitionOpening> openings) {}
