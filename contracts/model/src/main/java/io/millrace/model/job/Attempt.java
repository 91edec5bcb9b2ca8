package io.millrace.model.job;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One placement of a global job.
 *
 * @param number from 1
 * @param cluster where it was placed
 * @param directory where the job's files are on that cluster
 * @param reason the reason of the choice, with its figures
 * @param localJob the local job, once known
 * @param endedAt when the attempt ended; null while it is active
 * @param end why it ended; null while it is active
 * @param partition of the cluster in which it was submitted; null: the default one
 */
public record Attempt(
        int number,
        ClusterId cluster,
        String directory,
        String reason,
        Instant startedAt,
        @Nullable JobKey localJob,
        @Nullable Instant endedAt,
        @Nullable AttemptEnd end,
        @Nullable PartitionName partition) {

    /** An attempt that is active, in the default partition. */
    public Attempt(
            final int number,
            final ClusterId cluster,
            final String directory,
            final String reason,
            final Instant startedAt,
            final @Nullable JobKey localJob) {
        this(number, cluster, directory, reason, startedAt, localJob, null, null, null);
    }

    /** Whether it ended for this cause. */
    public boolean hasEnded(final AttemptEnd.Cause cause) {
        return end != null && end.cause() == cause;
    }

    /** What is submitted on its cluster. */
    public JobSpec here(final JobSpec spec) {
        return partition == null ? spec : spec.withPartition(partition);
    }

    public Attempt in(final @Nullable PartitionName other) {
        return new Attempt(number, cluster, directory, reason, startedAt, localJob, endedAt, end, other);
    }

    public Attempt withLocalJob(final JobKey job) {
        return new Attempt(number, cluster, directory, reason, startedAt, job, endedAt, end, partition);
    }

    public Attempt withEnd(final Instant when, final AttemptEnd why) {
        return new Attempt(number, cluster, directory, reason, startedAt, localJob, when, why, partition);
    }
}
