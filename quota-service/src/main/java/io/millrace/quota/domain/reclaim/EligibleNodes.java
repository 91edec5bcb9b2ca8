package io.millrace.quota.domain.reclaim;

import io.millrace.decide.FreeNodeCapacity;
import io.millrace.decide.PlacementRequest;
import io.millrace.quota.domain.preemption.AllocatedJob;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** the nodes that a job may use, by its partition, requested features and requested nodes. */
final class EligibleNodes {

    private final FreeNodeCapacity capacity;
    private final PlacementRequest demand;
    /** Null: all nodes. */
    private final @Nullable BitSet some;

    private EligibleNodes(final FreeNodeCapacity capacity, final PlacementRequest demand, final @Nullable BitSet some) {
        this.capacity = capacity;
        this.demand = demand;
        this.some = some;
    }

    /** @param capacity free resources by node; read at each call */
    static EligibleNodes of(final PlacementRequest demand, final FreeNodeCapacity capacity) {
        final int[] eligible = capacity.nodes().eligible(demand);
        if (eligible.length == capacity.nodes().count()) {
            return new EligibleNodes(capacity, demand, null);
        }
        final BitSet some = new BitSet(capacity.nodes().count());
        for (final int node : eligible) {
            some.set(node);
        }
        return new EligibleNodes(capacity, demand, some);
    }

    boolean includeAll() {
        return some == null;
    }

    /** Whether preempting this job could free one of these nodes; true if the job's nodes are not known. */
    boolean include(final AllocatedJob job) {
        return some == null
                || job.nodes().isEmpty()
                || job.nodes().stream().mapToInt(capacity.nodes()::index).anyMatch(node -> node >= 0 && some.get(node));
    }

    /** How many of the cluster's idle cores are on these nodes. */
    int idle(final int cores) {
        return some == null ? cores : Math.min(cores, capacity.freeCores(demand));
    }
}
