package io.millrace.quota.domain.priority;

import io.millrace.decide.ClusterView;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.PriorityRules;
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

    /** The entitlement with the partitions that its priority opens. */
    Entitlement addTo(final JobObserved job, final Entitlement right) {
        return existing.isEmpty() || right.level() == EntitlementLevel.HELD
                ? right
                : right.withOtherPartitions(rules.opened(job.job(), job.partition(), right.priority()).stream()
                        .filter(existing::contains)
                        .toList());
    }
}
