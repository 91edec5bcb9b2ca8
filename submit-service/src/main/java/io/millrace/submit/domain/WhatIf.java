package io.millrace.submit.domain;

import io.millrace.model.PartitionName;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Entitlement.Right;
import io.millrace.model.policy.PriorityRules;
import java.util.List;
import java.util.Set;

/**
 * What rules that are tried would make of the waiting jobs of one cluster.
 *
 * @param partitions that the cluster has
 */
public record WhatIf(Trial trial, PriorityRules inForce, Set<PartitionName> partitions) {

    /** The same job, as it would wait then. Who has no terms comes last for a used-up budget, whatever the rules. */
    WaitingJob of(final WaitingJob job) {
        if (trial.isEmpty() || job.entitlement().terms() == null) {
            return job;
        }
        final WaitingJob weighed = job.weighing(trial.weights());
        return new WaitingJob(job.job(), weighed.entitlement().reaching(reach(weighed)));
    }

    /** Q-70; a job that is held may not start at all. */
    private List<PartitionName> reach(final WaitingJob job) {
        final Entitlement then = job.entitlement();
        return then.right() == Right.HELD
                ? List.of()
                : trial.on(inForce).opened(job.job().job(), job.job().partition(), then.priority()).stream()
                        .filter(partitions::contains)
                        .toList();
    }
}
