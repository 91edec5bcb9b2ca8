package io.millrace.quota.domain.priority;

import io.millrace.decide.ClusterView;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.PriorityRules;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** the other partitions of the cluster in which a job may start because of its priority. Held jobs have none. */
public final class OverflowPartitions {

    private final PriorityRules rules;
    private final Set<PartitionName> existing;

    public OverflowPartitions(final PriorityRules rules, final ClusterView cluster) {
        this.rules = rules;
        this.existing = rules.overflowRules().isEmpty()
                ? Set.of()
                : cluster.partitions().stream()
                        .map(PartitionObserved::partition)
                        .collect(Collectors.toUnmodifiableSet());
    }

    /** The partitions that a priority opens to a job. */
    List<PartitionName> openTo(final JobObserved job, final EntitlementLevel right, final long priority) {
        return existing.isEmpty() || right == EntitlementLevel.HELD
                ? List.of()
                : rules.opened(job.job(), job.partition(), priority).stream()
                        .filter(existing::contains)
                        .toList();
    }
}
