package io.millrace.model.cluster;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job in the queue of its cluster.
 *
 * @param name as the user wrote it; may contain blanks and non-ASCII characters
 * @param reason the reason why it waits, as the workload manager reports it; null if there is none
 * @param walltime the requested limit; null means unlimited
 * @param eligibleSince since when it could start; null if it is not eligible
 * @param attempt the tag of a global job's placement; null for a job that a user submitted to the cluster directly
 * @param restarts how often it was requeued
 * @param priority the priority in the workload manager
 * @param detail further properties
 */
public record JobObserved(
        JobKey job,
        String name,
        UserName owner,
        @Nullable ProjectName project,
        PartitionName partition,
        JobState state,
        @Nullable String reason,
        Resources resources,
        @Nullable Duration walltime,
        @Nullable Instant eligibleSince,
        @Nullable AttemptId attempt,
        int restarts,
        long priority,
        CheckpointMethod checkpoint,
        JobDetail detail)
        implements ClusterStateEvent {

    /** A job of which nothing more is known. */
    public JobObserved(
            final JobKey job,
            final String name,
            final UserName owner,
            final @Nullable ProjectName project,
            final PartitionName partition,
            final JobState state,
            final @Nullable String reason,
            final Resources resources,
            final @Nullable Duration walltime,
            final @Nullable Instant eligible,
            final @Nullable AttemptId attempt,
            final int restarts,
            final long priority,
            final CheckpointMethod checkpoint) {
        this(
                job,
                name,
                owner,
                project,
                partition,
                state,
                reason,
                resources,
                walltime,
                eligible,
                attempt,
                restarts,
                priority,
                checkpoint,
                JobDetail.NONE);
    }

    /** The key of a job on {@code millrace.cluster-state}. */
    public static String keyOf(final JobKey job) {
        return job.cluster() + "/job/" + job.id().local() + "@" + job.submittedAt();
    }

    @Override
    public String key() {
        return keyOf(job);
    }

    @Override
    public ClusterId cluster() {
        return job.cluster();
    }

    public JobObserved in(final JobState next) {
        return new JobObserved(
                job,
                name,
                owner,
                project,
                partition,
                next,
                reason,
                resources,
                walltime,
                eligibleSince,
                attempt,
                restarts,
                priority,
                checkpoint,
                detail);
    }

    /** All partitions that it may start in. */
    public List<PartitionName> choice() {
        return detail.partitions() == null ? List.of(partition) : detail.partitions();
    }

    /** The same job in another partition. */
    public JobObserved in(final PartitionName other) {
        return new JobObserved(
                job,
                name,
                owner,
                project,
                other,
                state,
                reason,
                resources,
                walltime,
                eligibleSince,
                attempt,
                restarts,
                priority,
                checkpoint,
                detail);
    }

    public JobObserved with(final JobDetail more) {
        return new JobObserved(
                job,
                name,
                owner,
                project,
                partition,
                state,
                reason,
                resources,
                walltime,
                eligibleSince,
                attempt,
                restarts,
                priority,
                checkpoint,
                more);
    }

    public JobObserved of(final UserName other, final @Nullable ProjectName otherProject) {
        return new JobObserved(
                job,
                name,
                other,
                otherProject,
                partition,
                state,
                reason,
                resources,
                walltime,
                eligibleSince,
                attempt,
                restarts,
                priority,
                checkpoint,
                detail);
    }

    public JobObserved with(final CheckpointMethod method) {
        return new JobObserved(
                job,
                name,
                owner,
                project,
                partition,
                state,
                reason,
                resources,
                walltime,
                eligibleSince,
                attempt,
                restarts,
                priority,
                method,
                detail);
    }

    public JobObserved withPriority(final long figure) {
        return new JobObserved(
                job,
                name,
                owner,
                project,
                partition,
                state,
                reason,
                resources,
                walltime,
                eligibleSince,
                attempt,
                restarts,
                figure,
                checkpoint,
                detail);
    }
}
