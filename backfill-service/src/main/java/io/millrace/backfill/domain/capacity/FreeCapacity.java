package io.millrace.backfill.domain.capacity;

import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.Run;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.decide.NodeShare;
import io.millrace.model.PartitionName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Free capacity at one time: cores of the cluster and of each partition with a limit, licences, and what is free on each node. */
public final class FreeCapacity {

    private int idle;
    private final Map<PartitionName, Integer> partitions;
    private final FreeNodeCapacity nodes;
    private final Map<String, Integer> licences;
    private final boolean anonymous;

    private FreeCapacity(
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

    /** The free capacity of a snapshot. */
    public static FreeCapacity of(final QueueSnapshot view) {
        final Map<PartitionName, Integer> partitions =
                HashMap.newHashMap(view.partitions().size());
        view.partitions().values().forEach(limit -> partitions.put(limit.partition(), limit.cores()));
        if (!partitions.isEmpty()) {
            view.running().forEach(job -> partitions.computeIfPresent(job.partition(), (p, c) -> c - job.cores()));
        }
        return new FreeCapacity(
                view.idleCores(),
                partitions,
                view.nodes().isEmpty() ? view.nodes() : view.nodes().copy(),
                new HashMap<>(view.licences()));
    }

    /**
     * The free capacity as observed.
     *
     * @param partitions free cores by partition with a limit
     * @param licences free tokens by limited licence
     */
    public static FreeCapacity of(
            final int idle,
            final Map<PartitionName, Integer> partitions,
            final FreeNodeCapacity nodes,
            final Map<String, Integer> licences) {
        return new FreeCapacity(
                idle, new HashMap<>(partitions), nodes.isEmpty() ? nodes : nodes.copy(), new HashMap<>(licences));
    }

    public FreeCapacity copy() {
        return anonymous
                ? new FreeCapacity(idle, partitions, nodes, licences)
                : new FreeCapacity(
                        idle,
                        partitions.isEmpty() ? partitions : new HashMap<>(partitions),
                        nodes.copy(),
                        licences.isEmpty() ? licences : new HashMap<>(licences));
    }

    public int idle() {
        return idle;
    }

    /** Free cores by partition with a limit. */
    public Map<PartitionName, Integer> partitions() {
        return partitions;
    }

    public FreeNodeCapacity nodes() {
        return nodes;
    }

    /** Whether only cores count, and any core will do. */
    public boolean countsOnlyCores() {
        return anonymous;
    }

    public boolean fits(final QueuedJob job) {
        return anonymous ? job.cores() <= idle : fitsCores(job) && hasLicences(job) && nodes.hasRoomFor(job.demand());
    }

    /** As {@link #fits}, regardless of nodes and licences. */
    public boolean fitsCores(final QueuedJob job) {
        return job.cores() <= idle
                && (partitions.isEmpty() || job.cores() <= partitions.getOrDefault(job.partition(), Integer.MAX_VALUE));
    }

    /** Whether the licences that it needs are free. */
    public boolean hasLicences(final QueuedJob job) {
        return licences.isEmpty()
                || job.placement().licences().entrySet().stream()
                        .allMatch(want -> licences.getOrDefault(want.getKey(), Integer.MAX_VALUE) >= want.getValue());
    }

    /** The licences that it needs and that are not free, as text: {@code 3 of licence 'ansys', 1 free}. */
    public String missingLicences(final QueuedJob job) {
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

    /** Shares of nodes for a job that fits; empty if any node will do. */
    public List<NodeShare> choose(final QueuedJob job) {
        return anonymous || nodes.isEmpty() ? List.of() : nodes.choose(job.demand(), nodes);
    }

    /**
     * Shares of nodes on which a job can start now and still run when only {@code later} is free.
     *
     * @return empty if any node will do; null if there are none
     */
    @Nullable
    public List<NodeShare> chooseBeside(final QueuedJob job, final FreeCapacity later) {
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

    public void take(final QueuedJob job) {
        take(job, choose(job));
    }

    /** Takes the capacity of a job that starts with these shares of nodes. */
    public void take(final QueuedJob job, final List<NodeShare> on) {
        addCores(job, on, -1);
        if (!anonymous) {
            license(job, -1);
            nodes.take(on);
        }
    }

    public void release(final Run job) {
        addCores(job.job(), job.shares(), 1);
        if (!anonymous) {
            license(job.job(), 1);
            nodes.give(job.shares());
        }
    }

    /** Reverts {@link #release}. */
    public void takeBack(final Run job) {
        addCores(job.job(), job.shares(), -1);
        if (!anonymous) {
            license(job.job(), -1);
            nodes.take(job.shares());
        }
    }

    /** Adds cores to the cluster, or removes them if negative. */
    public void addCores(final int cores) {
        idle += cores;
    }

    /** A job on whole nodes occupies all their cores of the cluster, but only its requested cores of its partition. */
    private void addCores(final QueuedJob job, final List<NodeShare> on, final int sign) {
        addCores(job.partition(), sign * job.cores());
        idle += sign * (job.coresTaken(on) - job.cores());
    }

    private void addCores(final PartitionName partition, final int cores) {
        idle += cores;
        if (!partitions.isEmpty()) {
            partitions.computeIfPresent(partition, (p, free) -> free + cores);
        }
    }
}
