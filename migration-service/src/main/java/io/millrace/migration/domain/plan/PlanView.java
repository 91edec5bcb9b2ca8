package io.millrace.migration.domain.plan;

import io.millrace.migration.domain.attempt.TransferTimes;
import io.millrace.migration.domain.cluster.TargetClusters;
import io.millrace.migration.domain.job.PlacedJobs;
import io.millrace.migration.domain.job.WaitingJobs;
import io.millrace.migration.domain.view.CheapestPlacement;
import io.millrace.model.policy.PlacementTable;

/**
 * What a plan depends on, beside the policy and the time.
 *
 * @param placed their attempts hold promised capacity
 * @param offers to place jobs by preemption
 * @param table of classes and clusters
 */
public record PlanView(
        TargetClusters clusters,
        PlacedJobs placed,
        WaitingJobs waiting,
        TransferTimes transfers,
        CheapestPlacement offers,
        PlacementTable table) {}
