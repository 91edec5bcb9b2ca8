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

    /** All partitions that it may start in. */
    public List<PartitionName> choice() {
        return detail.partitions() == null ? List.of(partition) : detail.partitions();
    }

    public JobObserved in(final JobState next) {
        return copy(owner, project, partition, next, priority, checkpoint, detail);
    }

    /** The same job in another partition. */
    public JobObserved in(final PartitionName other) {
        return copy(owner, project, other, state, priority, checkpoint, detail);
    }

    public JobObserved with(final JobDetail more) {
        return copy(owner, project, partition, state, priority, checkpoint, more);
    }

    public JobObserved of(final UserName other, final @Nullable ProjectName otherProject) {
        return copy(other, otherProject, partition, state, priority, checkpoint, detail);
    }

    /** The same job as one that was submitted to the cluster directly. */
    public JobObserved withoutAttempt() {
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
                null,
                restarts,
                priority,
                checkpoint,
                detail);
    }

    public JobObserved with(final CheckpointMethod method) {
        return copy(owner, project, partition, state, priority, method, detail);
    }

    public JobObserved withPriority(final long figure) {
        return copy(owner, project, partition, state, figure, checkpoint, detail);
    }

    private JobObserved copy(
            final UserName by,
            final @Nullable ProjectName charged,
            final PartitionName in,
            final JobState now,
            final long figure,
            final CheckpointMethod method,
            final JobDetail more) {
        return new JobObserved(
                job,
                name,
                by,
                charged,
                in,
                now,
                reason,
                resources,
                walltime,
                eligibleSince,
                attempt,
                restarts,
                figure,
                method,
                more);
    }
}
