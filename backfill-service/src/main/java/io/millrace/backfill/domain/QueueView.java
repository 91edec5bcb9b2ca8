package io.millrace.backfill.domain;

import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.view.FreeNodeCapacity;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a plan is made from: a queue and the room it waits for.
 *
 * @param idleCores that may still be promised
 * @param queued jobs that may start as soon as they fit, in any order
 * @param running every job that occupies cores
 * @param nodes free cores node by node; empty if not known, then all jobs are spreadable
 * @param partitions limits by partition; a partition without an entry has none
 * @param windows cores that are withheld for a while, now or later; those of a window that has begun still count as idle here
 * @param licences tokens that are free, by name; a name without an entry is not limited
 * @param first waiting jobs for whose sake others were cut: they come before everybody until they start
 * @param promised what an earlier pass reserved for jobs that still wait
 */
public record QueueView(
        int idleCores,
        List<QueuedJob> queued,
        List<RunningJob> running,
        FreeNodeCapacity nodes,
        Map<PartitionName, PartitionLimit> partitions,
        List<Window> windows,
        Map<String, Integer> licences,
        Set<JobKey> first,
        Map<JobKey, Promise> promised) {

    /** A view of a queue to which nothing was promised yet. */
    public QueueView(
            final int idleCores,
            final List<QueuedJob> queued,
            final List<RunningJob> running,
            final FreeNodeCapacity nodes,
            final Map<PartitionName, PartitionLimit> partitions,
            final List<Window> windows,
            final Map<String, Integer> licences,
            final Set<JobKey> first) {
        this(idleCores, queued, running, nodes, partitions, windows, licences, first, Map.of());
    }

    public QueueView(
            final int idleCores,
            final List<QueuedJob> queued,
            final List<RunningJob> running,
            final FreeNodeCapacity nodes,
            final Map<PartitionName, PartitionLimit> partitions) {
        this(idleCores, queued, running, nodes, partitions, List.of(), Map.of(), Set.of());
    }

    /** A view of cores alone. */
    public static QueueView ofCores(final int idleCores, final List<QueuedJob> queued, final List<RunningJob> running) {
        return new QueueView(idleCores, queued, running, FreeNodeCapacity.of(List.of()), Map.of());
    }
}
