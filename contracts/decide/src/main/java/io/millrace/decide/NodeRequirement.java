package io.millrace.decide;

import io.millrace.model.Resources;

/**
 * The requirement of a job on each of its nodes.
 *
 * @param nodes how many such nodes; 0: as many as it takes
 * @param whole whether the node must be exclusive
 */
public record NodeRequirement(int nodes, int cores, long memoryMib, int gpus, boolean whole) {

    static NodeRequirement of(final PlacementRequest job) {
        final Resources all = job.resources();
        final int perNode = job.placement().coresPerNode();
        final int count = all.nodes() > 0 ? all.nodes() : perNode > 0 ? Math.ceilDiv(all.cores(), perNode) : 0;
        final boolean whole = job.placement().exclusive();
        return count == 0
                ? spreadable(all, whole)
                : new NodeRequirement(
                        count,
                        Math.ceilDiv(all.cores(), count),
                        Math.ceilDiv(all.memoryMib(), count),
                        Math.ceilDiv(all.gpus(), count),
                        whole);
    }

    /** A single core with its memory is the smallest part. */
    static NodeRequirement spreadable(final Resources all, final boolean whole) {
        return new NodeRequirement(0, 1, Math.ceilDiv(all.memoryMib(), Math.max(1, all.cores())), 0, whole);
    }

    public boolean isSpreadable() {
        return nodes == 0;
    }

    /** Whether a node with so much free, of so many cores in all, can be one of its nodes. */
    public boolean fits(final int free, final long freeMemory_mib, final int freeGpus, final int total) {
        return free >= cores && freeMemory_mib >= memoryMib && freeGpus >= gpus && (!whole || free == total);
    }

    /** How many of its cores such a node can have, if it is spreadable. */
    public int coresOn(final int free, final long freeMemory_mib) {
        return memoryMib == 0 ? free : (int) Math.min(free, freeMemory_mib / memoryMib);
    }

    @Override
    public String toString() {
        return cores + " cores" + (memoryMib == 0 ? "" : " and " + memoryMib + " MiB")
                + (gpus == 0 ? "" : " and " + gpus + " GPUs");
    }
}
