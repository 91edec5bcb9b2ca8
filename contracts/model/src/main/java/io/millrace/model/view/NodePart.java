package io.millrace.model.view;

import io.millrace.model.Resources;

/**
 * What one node of a job must have.
 *
 * @param nodes how many such nodes; 0: as many as it takes
 * @param whole whether nobody else may be on it
 */
public record NodePart(int nodes, int cores, long memory_mib, int gpus, boolean whole) {

    static NodePart of(final Demand job) {
        final Resources all = job.resources();
        final int perNode = job.placement().coresPerNode();
        final int count = all.nodes() > 0 ? all.nodes() : perNode > 0 ? Math.ceilDiv(all.cores(), perNode) : 0;
        final boolean whole = job.placement().exclusive();
        return count == 0
                ? spreadable(all, whole)
                : new NodePart(
                        count,
                        Math.ceilDiv(all.cores(), count),
                        Math.ceilDiv(all.memory_mib(), count),
                        Math.ceilDiv(all.gpus(), count),
                        whole);
    }

    /** A single core with its memory is the smallest part. */
    static NodePart spreadable(final Resources all, final boolean whole) {
        return new NodePart(0, 1, Math.ceilDiv(all.memory_mib(), Math.max(1, all.cores())), 0, whole);
    }

    public boolean isSpreadable() {
        return nodes == 0;
    }

    /** Whether a node with so much free, of so many cores in all, can be one of its nodes. */
    public boolean fits(final int free, final long freeMemory_mib, final int freeGpus, final int total) {
        return free >= cores && freeMemory_mib >= memory_mib && freeGpus >= gpus && (!whole || free == total);
    }

    /** How many of its cores such a node can have, if it is spreadable. */
    public int coresOn(final int free, final long freeMemory_mib) {
        return memory_mib == 0 ? free : (int) Math.min(free, freeMemory_mib / memory_mib);
    }

    @Override
    public String toString() {
        return cores + " cores" + (memory_mib == 0 ? "" : " and " + memory_mib + " MiB")
                + (gpus == 0 ? "" : " and " + gpus + " GPUs");
    }
}
