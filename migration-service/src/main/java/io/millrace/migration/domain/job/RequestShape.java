package io.millrace.migration.domain.job;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.job.TargetRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the choice of a cluster depends on, apart from the owner. A new veto that reads another property of the job adds it here; else jobs
 * that get different answers share a group.
 *
 * @param request what its owner requests of the cluster beside resources and partition
 * @param jobClass its best class; null: not known; empty: unclassified
 * @param issuer whose login vouched for the owner; null for a registered tool
 * @param alone the job, if it is judged for itself: after a failed attempt, or with offers to place it by preemption
 */
public record RequestShape(
        ClusterId source,
        @Nullable ClusterId target,
        Resources resources,
        Duration walltime,
        @Nullable PartitionName partition,
        @Nullable ProjectName project,
        TargetRequest request,
        @Nullable String jobClass,
        @Nullable ClusterId issuer,
        @Nullable GlobalJobId alone) {}
