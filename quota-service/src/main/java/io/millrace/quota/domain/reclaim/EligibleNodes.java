package io.millrace.quota.domain.reclaim;

import io.millrace.model.view.FreeNodeCapacity;
import io.millrace.model.view.PlacementRequest;
import io.millrace.quota.domain.preemption.AllocatedJob;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** the nodes that a job may use, by its partition, requested features and requested nodes. */
final class EligibleNodes {

    private final FreeNodeCapacity room;
    private final PlacementRequest demand;
    /** Null: all nodes. */
    private final @Nullable BitSet some;

    private EligibleNodes(final FreeNodeCapacity room, final PlacementRequest demand, final @Nullable BitSet some) {
        this.room = room;
        this.demand = demand;
        this.some = some;
    }

    /** @param room free resources by node; read at each call */
    static EligibleNodes of(final PlacementRequest demand, final FreeNodeCapacity room) {
        final int[] eligible = room.nodes().eligible(demand);
        if (eligible.length == room.nodes().count()) {
            return new EligibleNodes(room, demand, null);
        }
        final BitSet some = new BitSet(room.nodes().count());
        for (final int node : eligible) {
            some.set(node);
        }
        return new EligibleNodes(room, demand, some);
    }

    boolean includeAll() {
        return some == null;
    }

    /** Whether preempting this job could free one of these nodes; true if the job's nodes are not known. */
    boolean include(final AllocatedJob job) {
        return some == null
                || job.nodes().isEmpty()
                || job.nodes().stream().mapToInt(room.nodes()::index).anyMatch(node -> node >= 0 && some.get(node));
    }

    /** How many of the cluster's idle cores are on these nodes. */
    int idle(final int cores) {
        return some == null ? cores : Math.min(cores, room.freeCores(demand));
    }
}
