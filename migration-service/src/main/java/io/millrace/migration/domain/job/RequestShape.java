package io.millrace.migration.domain.job;

import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.TargetRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a job requests, apart from its owner: jobs of one shape get the same answer from each cluster unless it depends on the owner or on
 * the history of the job.
 *
 * @param request what its owner requests of the cluster beside resources and partition
 * @param jobClass its best class; null: not known; empty: unclassified
 * @param issuer whose login vouched for the owner; null for a registered tool
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
        @Nullable ClusterId issuer) {

    public static RequestShape of(final JobSubmitted job, final @Nullable String jobClass) {
        final JobSpec spec = job.spec();
        return new RequestShape(
                job.source(),
                job.target(),
                spec.resources(),
                spec.walltime(),
                spec.partition(),
                spec.project(),
                job.requested(),
                jobClass,
                job.issuer());
    }

    /** Whether its owner chose the cluster. */
    public boolean isPinned() {
        return target != null;
    }
}
