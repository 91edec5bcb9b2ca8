package io.millrace.backfill.domain.capacity;

import io.millrace.backfill.domain.job.EarlierReservation;
import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.RunningJob;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
 * @param beneficiaries waiting jobs for which others were preempted: they go first until they start
 * @param reservations of an earlier pass, by waiting job
 */
public record QueueSnapshot(
        int idleCores,
        List<QueuedJob> queued,
        List<RunningJob> running,
        FreeNodeCapacity nodes,
        Map<PartitionName, PartitionLimit> partitions,
        List<MaintenanceWindow> windows,
        Map<String, Integer> licences,
        Set<JobKey> beneficiaries,
        Map<JobKey, EarlierReservation> reservations) {

    /** A snapshot in which only cores count. */
    public static QueueSnapshot ofCores(
            final int idleCores, final List<QueuedJob> queued, final List<RunningJob> running) {
        return new QueueSnapshot(
                idleCores,
                queued,
                running,
                FreeNodeCapacity.of(List.of()),
                Map.of(),
                List.of(),
                Map.of(),
                Set.of(),
                Map.of());
    }
}
