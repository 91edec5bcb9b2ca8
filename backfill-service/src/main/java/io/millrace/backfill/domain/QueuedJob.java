package io.millrace.backfill.domain;

import io.millrace.decide.NodeShare;
import io.millrace.decide.PlacementRequest;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.Placement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that may start as soon as it fits.
 *
 * @param walltime_s upper bound of its run time in seconds; {@link ShadowTime#NEVER} if it has none. For a job that resumes from a
 *     checkpoint: the remaining time plus the cost of the restart
 * @param priority a larger value goes first
 * @param guaranteed whether it is within its owner's quota
 * @param placement constraints on nodes and licences
 * @param partitions in which it may start, its own partition first; empty: only its own
 * @param tasks the tasks of its array that may start in this pass, each with these resources; null: the job, or the next task of its array
 * @param waiting how many tasks of its array wait and may run at a time; 1 for a single job
 */
public record QueuedJob(
        JobKey job,
        Resources resources,
        PartitionName partition,
        long walltime_s,
        long priority,
        boolean guaranteed,
        JobAttributes attributes,
        Placement placement,
        List<PartitionName> partitions,
        @Nullable ArrayTasks tasks,
        int waiting)
        implements JobRole {

    public QueuedJob {
        partitions = List.copyOf(partitions);
    }

    /** A job of which one command starts one. */
    public QueuedJob(
            final JobKey job,
            final Resources resources,
            final PartitionName partition,
            final long walltime_s,
            final long priority,
            final boolean guaranteed,
            final JobAttributes attributes,
            final Placement placement,
            final List<PartitionName> partitions) {
        this(job, resources, partition, walltime_s, priority, guaranteed, attributes, placement, partitions, null, 1);
    }

    /** By submission time, then by local id; a shorter id is smaller. */
    public static final Comparator<QueuedJob> BY_SUBMISSION =
            Comparator.comparing(QueuedJob::job, JobKey.BY_SUBMISSION);

    /** Guaranteed work before borrowed work, then by priority. */
    public static final Comparator<QueuedJob> BY_PRIORITY = Comparator.comparing(QueuedJob::guaranteed)
            .thenComparingLong(QueuedJob::priority)
            .reversed()
            .thenComparing(BY_SUBMISSION);

    /** @param walltime null if it has no limit */
    public static QueuedJob of(
            final JobKey job,
            final Resources resources,
            final PartitionName partition,
            final @Nullable Duration walltime,
            final long priority,
            final boolean guaranteed) {
        return new QueuedJob(
                job,
                resources,
                partition,
                ShadowTime.limit(walltime),
                priority,
                guaranteed,
                JobAttributes.UNKNOWN,
                Placement.ANYWHERE,
                List.of());
    }

    public QueuedJob withAttributes(final JobAttributes other) {
        return copy(partition, walltime_s, other, placement, partitions, tasks, waiting);
    }

    public QueuedJob withWalltime(final long other_s) {
        return copy(partition, other_s, attributes, placement, partitions, tasks, waiting);
    }

    public QueuedJob withPlacement(final Placement other) {
        return copy(partition, walltime_s, attributes, other, partitions, tasks, waiting);
    }

    /** A copy that may also start in these partitions. */
    public QueuedJob withOtherPartitions(final List<PartitionName> others) {
        if (others.isEmpty()) {
            return this;
        }
        final List<PartitionName> all = new ArrayList<>(others);
        all.addFirst(partition);
        return copy(partition, walltime_s, attributes, placement, all, tasks, waiting);
    }

    /** A copy of which these tasks may start in one pass, and so many wait. */
    public QueuedJob withTasks(final @Nullable ArrayTasks some, final int all) {
        return copy(partition, walltime_s, attributes, placement, partitions, some, all);
    }

    /** A copy that starts only in its present partition. */
    public QueuedJob onlyHere() {
        return copy(partition, walltime_s, attributes, placement, List.of(), tasks, waiting);
    }

    /** How many jobs or tasks may start in one pass. */
    public int count() {
        return tasks == null ? 1 : tasks.tasks();
    }

    /** Partitions other than its own in which it may start, in order of preference. */
    public List<PartitionName> otherPartitions() {
        return partitions.isEmpty() ? partitions : partitions.subList(1, partitions.size());
    }

    /** A copy that starts in this partition. */
    public QueuedJob inPartition(final PartitionName other) {
        return copy(other, walltime_s, attributes, placement, partitions, tasks, waiting);
    }

    /** Whether it starts in a partition other than the one it waits in. */
    public boolean startsInOtherPartition() {
        return !partitions.isEmpty() && !partition.equals(partitions.getFirst());
    }

    private QueuedJob copy(
            final PartitionName otherPartition,
            final long otherWalltime_s,
            final JobAttributes otherAttributes,
            final Placement otherPlacement,
            final List<PartitionName> otherPartitions,
            final @Nullable ArrayTasks otherTasks,
            final int otherWaiting) {
        return new QueuedJob(
                job,
                resources,
                otherPartition,
                otherWalltime_s,
                priority,
                guaranteed,
                otherAttributes,
                otherPlacement,
                otherPartitions,
                otherTasks,
                otherWaiting);
    }

    public PlacementRequest demand() {
        return new PlacementRequest(resources, placement, partition);
    }

    public int cores() {
        return resources.cores();
    }

    /** Cores that it occupies on these nodes; with whole nodes this may be more than it requests. */
    public int coresTaken(final List<NodeShare> on) {
        return on.isEmpty() ? cores() : on.stream().mapToInt(NodeShare::cores).sum();
    }

    /** Its latest end for this start, in seconds. */
    public long endIfStartedAt(final long start_s) {
        return ShadowTime.after(start_s, walltime_s);
    }
}
