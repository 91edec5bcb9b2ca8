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
    private final Map<String, Integer> licences;
    private final boolean anonymous;

    private Room(
            final int idle,
            final Map<PartitionName, Integer> partitions,
            final NodeRoom nodes,
            final Map<String, Integer> licences) {
        this.idle = idle;
        this.partitions = partitions;
        this.nodes = nodes;
        this.licences = licences;
        this.anonymous = partitions.isEmpty() && nodes.isEmpty() && licences.isEmpty();
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
                view.nodes().isEmpty() ? view.nodes() : view.nodes().copy(),
                new HashMap<>(view.licences()));
    }

    /**
     * The room as it was seen.
     *
     * @param partitions free cores of those with a limit
     * @param licences free tokens of those that are limited
     */
    static Room of(
            final int idle,
            final Map<PartitionName, Integer> partitions,
            final NodeRoom nodes,
            final Map<String, Integer> licences) {
        return new Room(
                idle, new HashMap<>(partitions), nodes.isEmpty() ? nodes : nodes.copy(), new HashMap<>(licences));
    }

    Room copy() {
        return anonymous
                ? new Room(idle, partitions, nodes, licences)
                : new Room(
                        idle,
                        partitions.isEmpty() ? partitions : new HashMap<>(partitions),
                        nodes.copy(),
                        licences.isEmpty() ? licences : new HashMap<>(licences));
    }

    int idle() {
        return idle;
    }

    /** Free cores by partition with a limit. */
    Map<PartitionName, Integer> partitions() {
        return partitions;
    }

    /** Whether cores are all that counts: one is as good as another. */
    boolean isAnonymous() {
        return anonymous;
    }

    boolean fits(final QueuedJob job) {
        return anonymous ? job.cores() <= idle : fitsCores(job) && hasLicences(job) && nodes.fits(job.demand());
    }

    /** As {@link #fits}, wherever the cores lie. */
    boolean fitsCores(final QueuedJob job) {
        return job.cores() <= idle
                && (partitions.isEmpty() || job.cores() <= partitions.getOrDefault(job.partition(), Integer.MAX_VALUE));
    }

    /** Whether the tokens that it takes are free. */
    boolean hasLicences(final QueuedJob job) {
        return licences.isEmpty()
                || job.placement().licences().entrySet().stream()
                        .allMatch(want -> licences.getOrDefault(want.getKey(), Integer.MAX_VALUE) >= want.getValue());
    }

    private void license(final QueuedJob job, final int sign) {
        if (!licences.isEmpty()) {
            job.placement()
                    .licences()
                    .forEach((name, tokens) -> licences.computeIfPresent(name, (n, free) -> free + sign * tokens));
        }
    }

    /** Takes the room of a job that starts; returns the nodes where it is assumed to run. */
    List<NodeName> take(final QueuedJob job) {
        change(job.partition(), -job.cores());
        license(job, -1);
        return anonymous ? List.of() : nodes.take(job.demand());
    }

    void takeCores(final QueuedJob job) {
        change(job.partition(), -job.cores());
    }

    void give(final PlannedJob job) {
        change(job.job().partition(), job.cores());
        if (!anonymous) {
            license(job.job(), 1);
            nodes.give(job.job().demand(), job.nodes());
        }
    }

    /** Takes back what {@link #give} gave. */
    void takeBack(final PlannedJob job) {
        change(job.job().partition(), -job.cores());
        if (!anonymous) {
            license(job.job(), -1);
            nodes.takeBack(job.job().demand(), job.nodes());
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
