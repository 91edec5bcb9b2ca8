package io.millrace.model;

/**
 * The resources that a job requests or a cluster has.
 *
 * @param cores processor cores in total (not per node)
 * @param nodes whole nodes the cores must be spread over; 0 means "any"
 * @param memoryMib memory in MiB in total; 0 means "not stated"
 * @param gpus accelerators in total
 */
public record Resources(int cores, int nodes, long memoryMib, int gpus) {

    public static final Resources NONE = new Resources(0, 0, 0, 0);

    public Resources {
        if (cores < 0 || nodes < 0 || memoryMib < 0 || gpus < 0) {
            throw new IllegalArgumentException("resources cannot be negative: cores=" + cores + " nodes=" + nodes
                    + " memoryMib=" + memoryMib + " gpus=" + gpus);
        }
    }

    public static Resources cores(final int cores) {
        return new Resources(cores, 0, 0, 0);
    }

    public Resources plus(final Resources more) {
        return new Resources(
                Math.addExact(cores, more.cores),
                Math.addExact(nodes, more.nodes),
                Math.addExact(memoryMib, more.memoryMib),
                Math.addExact(gpus, more.gpus));
    }

    public Resources times(final int count) {
        return new Resources(
                Math.multiplyExact(cores, count),
                Math.multiplyExact(nodes, count),
                Math.multiplyExact(memoryMib, count),
                Math.multiplyExact(gpus, count));
    }

    /** Subtracts, stopping at zero in each component: what is over-committed is not a credit. */
    public Resources minus(final Resources less) {
        return new Resources(
                Math.max(0, cores - less.cores),
                Math.max(0, nodes - less.nodes),
                Math.max(0, memoryMib - less.memoryMib),
                Math.max(0, gpus - less.gpus));
    }

    /** Whether a request of this size fits into {@code free}; nodes are counted by the workload manager itself. */
    public boolean fitsInto(final Resources free) {
        return cores <= free.cores && memoryMib <= free.memoryMib && gpus <= free.gpus;
    }
}
