package io.millrace.backfill.domain;

import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.view.NodeRoom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Cores that are free at some time: in the cluster, in each partition with a limit, on each node. */
final class Room {

    private int idle;
    private final Map<PartitionName, Integer> partitions;
    private final NodeRoom nodes;
    private final boolean anonymous;

    private Room(final int idle, final Map<PartitionName, Integer> partitions, final NodeRoom nodes) {
        this.idle = idle;
        this.partitions = partitions;
        this.nodes = nodes;
        this.anonymous = partitions.isEmpty() && nodes.isEmpty();
    }

    /** The room now. */
    static Room of(final QueueView view) {
        final Map<PartitionName, Integer> partitions =
                HashMap.newHashMap(view.partitions().size());
        view.partitions().values().forEach(limit -> partitions.put(limit.partition(), limit.cores()));
        if (!partitions.isEmpty()) {
            view.running().forEach(job -> partitions.computeIfPresent(job.partition(), (p, c) -> c - job.cores()));
        }
        return new Room(
                view.idleCores(),
                partitions,
                view.nodes().isEmpty() ? view.nodes() : view.nodes().copy());
    }

    Room copy() {
        return anonymous
                ? new Room(idle, partitions, nodes)
                : new Room(idle, partitions.isEmpty() ? partitions : new HashMap<>(partitions), nodes.copy());
    }

    int idle() {
        return idle;
    }

    /** Whether cores are all that counts: one is as good as another. */
    boolean isAnonymous() {
        return anonymous;
    }

    boolean fits(final QueuedJob job) {
        return anonymous ? job.cores() <= idle : fitsCores(job) && nodes.fits(job.resources());
    }

    /** As {@link #fits}, wherever the cores lie. */
    boolean fitsCores(final QueuedJob job) {
        return job.cores() <= idle
                && (partitions.isEmpty() || job.cores() <= partitions.getOrDefault(job.partition(), Integer.MAX_VALUE));
    }

    /** Takes the room of a job that starts; returns the nodes where it is assumed to run. */
    List<NodeName> take(final QueuedJob job) {
        change(job.partition(), -job.cores());
        return anonymous ? List.of() : nodes.take(job.resources());
    }

    void takeCores(final QueuedJob job) {
        change(job.partition(), -job.cores());
    }

    void give(final PlannedJob job) {
        change(job.job().partition(), job.cores());
        if (!anonymous) {
            nodes.give(job.job().resources(), job.nodes());
        }
    }

    /** Takes back what {@link #give} gave. */
    void takeBack(final PlannedJob job) {
        change(job.job().partition(), -job.cores());
        if (!anonymous) {
            nodes.takeBack(job.job().resources(), job.nodes());
        }
    }

    void giveCores(final PartitionName partition, final Resources resources) {
        change(partition, resources.cores());
    }

    /** Cores that come to the cluster or leave it. */
    void change(final int cores) {
        idle += cores;
    }

    private void change(final PartitionName partition, final int cores) {
        idle += cores;
        if (!partitions.isEmpty()) {
            partitions.computeIfPresent(partition, (p, free) -> free + cores);
        }
    }
}
