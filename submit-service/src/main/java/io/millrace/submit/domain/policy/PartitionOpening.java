package io.millrace.submit.domain.policy;

import io.millrace.model.PartitionName;
import io.millrace.model.policy.PartitionOverflow;
import io.millrace.model.policy.PriorityRules;
import java.util.List;
import java.util.Set;

/**
 * Another partition that the priority rules open to a waiting job of sufficient priority.
 *
 * @param minPriority lowest priority that opens the partition, in points
 * @param open whether the job may start there now
 */
public record PartitionOpening(PartitionName partition, long minPriority, boolean open) {

    /**
     * The partitions that rules can open to a job, in the order of the rules.
     *
     * @param partitions of the job's cluster
     */
    public static List<PartitionOpening> of(
            final WaitingJob job, final PriorityRules rules, final Set<PartitionName> partitions) {
        final List<PartitionOverflow> about = rules.overflowRules().stream()
                .filter(opening -> opening.isFor(job.job().job(), job.job().partition(), Long.MAX_VALUE))
                .toList();
        return rules.opened(job.job().job(), job.job().partition(), Long.MAX_VALUE).stream()
                .filter(partitions::contains)
                .map(partition -> new PartitionOpening(
                        partition,
                        from(partition, about),
                        job.entitlement().otherPartitions().contains(partition)))
                .toList();
    }

    private static long from(final PartitionName partition, final List<PartitionOverflow> about) {
        return about.stream()
                .filter(opening -> opening.to().contains(partition))
                .mapToLong(PartitionOverflow::minPriority)
                .min()
                .orElseThrow();
    }
}
