package io.millrace.backfill.domain.capacity;

import io.millrace.backfill.domain.Promises;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.model.PartitionName;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The input of a planning pass: waiting jobs, running jobs and free capacity.
 *
 * @param idleCores cores that are not in use
 * @param queued jobs that may start as soon as they fit, in any order
 * @param running all jobs that occupy cores
 * @param nodes what is free on each node; empty if nodes are not known, then any core will do
 * @param partitions limits by partition; a partition without an entry has none
 * @param windows maintenance windows, current and future; cores of a current window still count as idle here
 * @param licences free tokens by licence; a licence without an entry is not limited
 * @param promises of earlier passes
 */
public record QueueSnapshot(
        int idleCores,
        Collection<QueuedJob> queued,
        List<RunningJob> running,
        FreeNodeCapacity nodes,
        Map<PartitionName, PartitionLimit> partitions,
        List<MaintenanceWindow> windows,
        Map<String, Integer> licences,
        Promises promises) {

    /** A snapshot in which only cores count. */
    public static QueueSnapshot ofCores(
            final int idleCores, final Collection<QueuedJob> queued, final List<RunningJob> running) {
        return new QueueSnapshot(
                idleCores,
                queued,
                running,
                FreeNodeCapacity.of(List.of()),
                Map.of(),
                List.of(),
                Map.of(),
                Promises.NONE);
    }
}
