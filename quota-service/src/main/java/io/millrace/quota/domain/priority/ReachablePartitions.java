package io.millrace.quota.domain.priority;

import io.millrace.model.PartitionName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.view.ClusterView;
import java.util.Set;
import java.util.stream.Collectors;

/** which other partitions of its cluster a waiting job may start in for its priority. A job that is held may not start at all. */
public final class ReachablePartitions {

    private final PriorityRules rules;
    private final Set<PartitionName> existing;

    public ReachablePartitions(final PriorityRules rules, final ClusterView cluster) {
        this.rules = rules;
        this.existing = rules.openings().isEmpty()
                ? Set.of()
                : cluster.partitions().stream()
                        .map(PartitionObserved::partition)
                        .collect(Collectors.toUnmodifiableSet());
    }

    /** The right with what its priority opens. */
    Entitlement addTo(final JobObserved job, final Entitlement right) {
        return existing.isEmpty() || right.level() == EntitlementLevel.HELD
                ? right
                : right.reaching(rules.opened(job.job(), job.partition(), right.priority()).stream()
                        .filter(existing::contains)
                        .toList());
    }
}
