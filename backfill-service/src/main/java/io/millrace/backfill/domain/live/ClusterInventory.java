package io.millrace.backfill.domain.live;

import io.millrace.backfill.domain.capacity.PartitionLimit;
import io.millrace.model.PartitionName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.view.ClusterView;
import io.millrace.model.view.PlacementRequest;
import io.millrace.model.view.FreeNodeCapacity;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What of a cluster seldom changes, whatever starts and ends: its size, its partitions, its kinds of nodes, its licences. */
final class ClusterInventory {

    private static final int DEMANDS_KEPT = 10_000;

    private final SiteSettings site;
    private final Map<PartitionName, PartitionLimit> partitions = new HashMap<>();
    private final Map<PartitionName, PartitionObserved> seen = new HashMap<>();
    private final FreeNodeCapacity nodes;
    private final int coresSeen;
    private final int coresInAll;
    private final Map<PlacementRequest, Optional<String>> nowhere = new HashMap<>();

    ClusterInventory(final ClusterView observed, final RevisionClosed marker, final SiteSettings site) {
        this.site = site;
        this.nodes = FreeNodeCapacity.of(observed.nodes());
        this.coresSeen = marker.total().cores();
        this.coresInAll = Math.max(ofAllNodes(observed), coresSeen);
        observed.partitions().forEach(this::limit);
    }

    /** Cores of all nodes, up or not: what exceeds them can never run here. */
    private static int ofAllNodes(final ClusterView observed) {
        return observed.nodes().stream()
                .map(NodeObserved::total)
                .mapToInt(total -> total.cores())
                .sum();
    }

    private void limit(final PartitionObserved partition) {
        seen.put(partition.partition(), partition);
        partitions.put(partition.partition(), new PartitionLimit(partition.partition(), partition.cores()));
    }

    /** Whether the cluster still has the size of which it was made. */
    boolean isValidFor(final RevisionClosed marker) {
        return marker.total().cores() == coresSeen;
    }

    /** What is free on nodes that are up, kept up to date as they are observed; to be copied, not to be taken from. */
    FreeNodeCapacity nodes() {
        return nodes;
    }

    Map<PartitionName, PartitionLimit> partitions() {
        return partitions;
    }

    /** Its own limit, else that of its partition; null if nothing bounds it. */
    @Nullable
    Duration walltimeLimit(final JobObserved job) {
        return job.walltime() != null ? job.walltime() : longest(job.partition());
    }

    private @Nullable Duration longest(final PartitionName partition) {
        final PartitionObserved known = seen.get(partition);
        return known == null ? null : known.walltimeLimit();
    }

    /** Why a job could not start here even if nothing ran. */
    Optional<Veto> veto(final JobObserved job) {
        return tooWide(job)
                .or(() -> notInItsPartition(job))
                .or(() -> unlicensed(job))
                .or(() -> nowhere(job));
    }

    /** Whether a job of another partition could start in this one if nothing ran, and for as long as it may. */
    boolean accepts(final JobObserved job, final PartitionName other) {
        if (!seen.containsKey(other)) {
            return false;
        }
        final Duration asked = walltimeLimit(job);
        final Duration allowed = longest(other);
        final boolean longEnough = allowed == null || asked != null && asked.compareTo(allowed) <= 0;
        return longEnough && veto(job.in(other)).isEmpty();
    }

    private Optional<Veto> tooWide(final JobObserved job) {
        final int cores = job.resources().cores();
        return cores <= coresInAll
                ? Optional.empty()
                : Optional.of(VetoCode.EXCEEDS_CLUSTER.veto("needs " + cores + " cores, the whole cluster has " + coresInAll));
    }

    private Optional<Veto> notInItsPartition(final JobObserved job) {
        final PartitionObserved partition = seen.get(job.partition());
        return partition == null ? Optional.empty() : partition.veto(job);
    }

    private Optional<Veto> unlicensed(final JobObserved job) {
        for (final var want : job.detail().placement().licences().entrySet()) {
            final int owned = site.licences().getOrDefault(want.getKey(), Integer.MAX_VALUE);
            if (want.getValue() > owned) {
                return Optional.of(VetoCode.EXCEEDS_LICENCES.veto("asks for " + want.getValue() + " licences '" + want.getKey() + "', the site has " + owned));
            }
        }
        return Optional.empty();
    }

    /** What no node that is up has. Many jobs ask for the same. */
    private Optional<Veto> nowhere(final JobObserved job) {
        if (nodes.isEmpty()) {
            return Optional.empty();
        }
        if (nowhere.size() > DEMANDS_KEPT) {
            nowhere.clear();
        }
        return nowhere.computeIfAbsent(PlacementRequest.of(job), demand -> Optional.ofNullable(nodes.never(demand)))
                .map(not -> VetoCode.NODE_UNKNOWN.veto(not));
    }
}
