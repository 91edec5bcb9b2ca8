package io.millrace.migration.domain.placement;

import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.Placement;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.job.JobSpec;
import io.millrace.model.view.AssumedCluster;
import io.millrace.model.view.FreeNodeCapacity;
import io.millrace.model.view.PlacementRequest;
import java.util.Objects;
import java.util.Optional;

/** What is idle on one cluster: in sum, and node by node if the cluster publishes its nodes. */
final class IdleCapacity {

    private final TargetCluster cluster;
    private final FreeNodeCapacity nodes;
    private Resources idle;

    private IdleCapacity(final TargetCluster cluster, final FreeNodeCapacity nodes, final Resources idle) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.idle = idle;
    }

    /** @param cluster has a revision */
    static IdleCapacity of(final TargetCluster cluster) {
        final AssumedCluster assumed = cluster.assumed();
        final FreeNodeCapacity nodes = FreeNodeCapacity.of(cluster.view().nodes());
        for (final JobKey key : assumed.commanded()) {
            final JobObserved seen = cluster.job(key);
            final JobObserved job = assumed.job(key);
            if (seen != null && seen.state().isWaiting() && job != null && job.state() instanceof JobState.Running) {
                nodes.take(PlacementRequest.of(job));
            }
        }
        final RevisionClosed marker = Objects.requireNonNull(cluster.marker());
        final Resources free = marker.free();
        final long memoryMib = marker.total().memoryMib() == 0 ? Long.MAX_VALUE : free.memoryMib();
        return new IdleCapacity(
                cluster, nodes, new Resources(assumed.idleCores(), free.nodes(), memoryMib, free.gpus()));
    }

    int cores() {
        return idle.cores();
    }

    /** Why a job cannot start there now; empty if it can. The reason states no figure, so that it stays true as long as the veto does. */
    Optional<Veto> veto(final JobSpec spec) {
        final Resources needed = spec.resources();
        if (!needed.fitsInto(idle)) {
            return Optional.of(
                    VetoCode.NO_IDLE_CORES.veto(cluster.id() + ": not enough idle for " + ResourcesText.of(needed)));
        }
        return nodes.hasRoomFor(request(spec))
                ? Optional.empty()
                : Optional.of(VetoCode.NO_SUITABLE_NODES.veto(cluster.id()
                        + ": enough is idle, but not on nodes that together fit " + ResourcesText.of(needed)));
    }

    /** Takes the resources of a job, if they are there. */
    void take(final JobSpec spec) {
        if (spec.resources().fitsInto(idle)) {
            idle = idle.minus(spec.resources());
            nodes.take(request(spec));
        }
    }

    private PlacementRequest request(final JobSpec spec) {
        return new PlacementRequest(
                spec.resources(),
                Placement.ANYWHERE,
                cluster.partitionOf(spec)
                        .map(partition -> partition.partition())
                        .orElse(null));
    }
}
