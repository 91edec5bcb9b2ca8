package io.millrace.backfill.domain;

import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.view.FreeNodeCapacity;
import io.millrace.model.view.NodeShare;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Cores that are free at some time: in the cluster, in each partition with a limit, on each node. */
final class Room {

    private int idle;
    private final Map<PartitionName, Integer> partitions;
    private final FreeNodeCapacity nodes;
    private final Map<String, Integer> licences;
    private final boolean anonymous;

    private Room(
            final int idle,
            final Map<PartitionName, Integer> partitions,
            final FreeNodeCapacity nodes,
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
            final FreeNodeCapacity nodes,
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

    FreeNodeCapacity nodes() {
        return nodes;
    }

    /** Whether cores are all that counts: one is as good as another. */
    boolean isAnonymous() {
        return anonymous;
    }

    boolean fits(final QueuedJob job) {
        return anonymous ? job.cores() <= idle : fitsCores(job) && hasLicences(job) && nodes.hasRoomFor(job.demand());
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

    /** The tokens that it takes and that are not free, in words: {@code 3 of licence 'ansys', 1 free}. */
    String licencesMissing(final QueuedJob job) {
        return job.placement().licences().entrySet().stream()
                .filter(want -> licences.getOrDefault(want.getKey(), Integer.MAX_VALUE) < want.getValue())
                .sorted(Map.Entry.comparingByKey())
                .map(want -> want.getValue() + " of licence '" + want.getKey() + "', "
                        + Math.max(0, licences.getOrDefault(want.getKey(), 0)) + " free")
                .collect(Collectors.joining("; "));
    }

    private void license(final QueuedJob job, final int sign) {
        if (!licences.isEmpty()) {
            job.placement()
                    .licences()
                    .forEach((name, tokens) -> licences.computeIfPresent(name, (n, free) -> free + sign * tokens));
        }
    }

    /** On which nodes a job that fits goes; none named if any will do. */
    List<NodeShare> choose(final QueuedJob job) {
        return anonymous || nodes.isEmpty() ? List.of() : nodes.choose(job.demand(), nodes);
    }

    /** On which nodes a job can begin now and still be when this is the room; null if on none, and none named if any will do. */
    @Nullable
    List<NodeShare> chooseBeside(final QueuedJob job, final Room later) {
        if (anonymous) {
            return job.cores() <= Math.min(idle, later.idle) ? List.of() : null;
        }
        if (!fits(job) || !later.fits(job)) {
            return null;
        }
        if (nodes.isEmpty() || nodes.nodes().isWiderThanAll(job.demand())) {
            return List.of();
        }
        final List<NodeShare> chosen = nodes.choose(job.demand(), later.nodes);
        return chosen.isEmpty() ? null : chosen;
    }

    void take(final QueuedJob job) {
        take(job, choose(job));
    }

    /** Takes the room of a job that starts on these nodes. */
    void take(final QueuedJob job, final List<NodeShare> on) {
        change(job, on, -1);
        if (!anonymous) {
            license(job, -1);
            nodes.take(on);
        }
    }

    void takeCores(final QueuedJob job) {
        change(job.partition(), -job.cores());
    }

    void give(final PlannedJob job) {
        change(job.job(), job.nodes(), 1);
        if (!anonymous) {
            license(job.job(), 1);
            nodes.give(job.nodes());
        }
    }

    /** Takes back what {@link #give} gave. */
    void takeBack(final PlannedJob job) {
        change(job.job(), job.nodes(), -1);
        if (!anonymous) {
            license(job.job(), -1);
            nodes.take(job.nodes());
        }
    }

    void giveCores(final PartitionName partition, final Resources resources) {
        change(partition, resources.cores());
    }

    /** Cores that come to the cluster or leave it. */
    void change(final int cores) {
        idle += cores;
    }

    /** Whole nodes are lost to the cluster; its partition counts what the job asked for. */
    private void change(final QueuedJob job, final List<NodeShare> on, final int sign) {
        change(job.partition(), sign * job.cores());
        idle += sign * (job.coresTaken(on) - job.cores());
    }

    private void change(final PartitionName partition, final int cores) {
        idle += cores;
        if (!partitions.isEmpty()) {
            partitions.computeIfPresent(partition, (p, free) -> free + cores);
        }
    }
}
