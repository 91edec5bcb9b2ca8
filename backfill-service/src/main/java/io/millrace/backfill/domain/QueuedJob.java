package io.millrace.backfill.domain;

import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Placement;
import io.millrace.model.view.PlacementRequest;
import io.millrace.model.view.NodeShare;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that may start as soon as it fits.
 *
 * @param walltime_s upper bound of its run time in seconds; {@link ShadowTime#NEVER} if it has none. Of a job that goes on from a
 *     checkpoint: what remains, and the cost of the restart
 * @param priority larger goes first
 * @param guaranteed whether it is within its owner's quota
 * @param placement where on the cluster it may run, beside its partition
 * @param partitions all that it may start in, the one it waits in first; empty: that one alone
 */
public record QueuedJob(
        JobKey job,
        Resources resources,
        PartitionName partition,
        long walltime_s,
        long priority,
        boolean guaranteed,
        Traits traits,
        Placement placement,
        List<PartitionName> partitions)
        implements Role {

    public QueuedJob {
        partitions = List.copyOf(partitions);
    }

    /** A job that starts in the partition it waits in. */
    public QueuedJob(
            final JobKey job,
            final Resources resources,
            final PartitionName partition,
            final long walltime_s,
            final long priority,
            final boolean guaranteed,
            final Traits traits,
            final Placement placement) {
        this(job, resources, partition, walltime_s, priority, guaranteed, traits, placement, List.of());
    }

    /** A job that may run anywhere in its partition. */
    public QueuedJob(
            final JobKey job,
            final Resources resources,
            final PartitionName partition,
            final long walltime_s,
            final long priority,
            final boolean guaranteed,
            final Traits traits) {
        this(job, resources, partition, walltime_s, priority, guaranteed, traits, Placement.ANYWHERE);
    }

    /** By time of submission, then by local id; of two numbers the shorter is the smaller. */
    static final Comparator<QueuedJob> BY_SUBMISSION = (one, other) -> {
        final int bySubmission = one.job.submittedAt().compareTo(other.job.submittedAt());
        if (bySubmission != 0) {
            return bySubmission;
        }
        final String id = one.job.id().local();
        final String otherId = other.job.id().local();
        return id.length() != otherId.length() ? id.length() - otherId.length() : id.compareTo(otherId);
    };

    /** @param walltime null if it has no limit */
    public static QueuedJob of(
            final JobKey job,
            final Resources resources,
            final PartitionName partition,
            final @Nullable Duration walltime,
            final long priority,
            final boolean guaranteed) {
        return new QueuedJob(
                job, resources, partition, ShadowTime.limit(walltime), priority, guaranteed, Traits.UNKNOWN);
    }

    public QueuedJob with(final Traits other) {
        return new QueuedJob(job, resources, partition, walltime_s, priority, guaranteed, other, placement, partitions);
    }

    public QueuedJob walltime(final long other_s) {
        return new QueuedJob(job, resources, partition, other_s, priority, guaranteed, traits, placement, partitions);
    }

    public QueuedJob at(final Placement other) {
        return new QueuedJob(job, resources, partition, walltime_s, priority, guaranteed, traits, other, partitions);
    }

    /** The same, with leave to start in these partitions, too. */
    QueuedJob reaching(final List<PartitionName> others) {
        if (others.isEmpty()) {
            return this;
        }
        final List<PartitionName> all = new ArrayList<>(others);
        all.addFirst(partition);
        return new QueuedJob(job, resources, partition, walltime_s, priority, guaranteed, traits, placement, all);
    }

    /** Partitions other than its own that it may start in, first choice first. */
    List<PartitionName> others() {
        return partitions.isEmpty() ? partitions : partitions.subList(1, partitions.size());
    }

    /** As it is when it starts there. */
    QueuedJob in(final PartitionName other) {
        return new QueuedJob(job, resources, other, walltime_s, priority, guaranteed, traits, placement, partitions);
    }

    /** Whether it starts in another partition than the one it waits in. */
    boolean isElsewhere() {
        return !partitions.isEmpty() && !partition.equals(partitions.getFirst());
    }

    PlacementRequest demand() {
        return new PlacementRequest(resources, placement, partition);
    }

    public int cores() {
        return resources.cores();
    }

    /** Cores that nobody else has while it is on these nodes: whole nodes may be more than it asked for. */
    int coresTaken(final List<NodeShare> on) {
        return on.isEmpty() ? cores() : on.stream().mapToInt(NodeShare::cores).sum();
    }

    /** When it will have ended if it starts then. */
    public long endIfStartedAt(final long start_s) {
        return ShadowTime.after(start_s, walltime_s);
    }
}
