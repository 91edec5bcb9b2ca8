package io.millrace.model.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * from this priority on a waiting job may start in other partitions than its own.
 *
 * @param cluster where; null: on every cluster that has such partitions
 * @param from in which partition it waits; null: in any
 * @param minPriority the priority from which on it may, in points
 * @param to the other partitions, first choice first
 */
public record PartitionOverflow(
        @Nullable ClusterId cluster, @Nullable PartitionName from, long minPriority, List<PartitionName> to) {

    private static final int MOST = 20;

    /** @throws IllegalArgumentException naming what is wrong and what would do */
    public PartitionOverflow {
        to = List.copyOf(to);
        if (to.isEmpty() || to.size() > MOST) {
            throw new IllegalArgumentException("'to' must name 1 to " + MOST + " partitions, got " + to.size());
        }
        if (new HashSet<>(to).size() < to.size()) {
            throw new IllegalArgumentException("'to' names a partition twice: " + to);
        }
        if (from != null && to.contains(from)) {
            throw new IllegalArgumentException("'to' names '" + from + "', where the job waits already");
        }
    }

    /** Whether it opens anything to a job that waits there with that priority. */
    public boolean isFor(final JobKey job, final PartitionName waitsIn, final long priority) {
        return priority >= minPriority
                && (cluster == null || cluster.equals(job.cluster()))
                && (from == null || from.equals(waitsIn));
    }
}
