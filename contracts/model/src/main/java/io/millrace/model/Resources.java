package io.millrace.model;

/**
 * A vector of what a job asks for or a cluster has.
 *
 * @param cores processor cores in all (not per node)
 * @param nodes whole nodes the cores must be spread over; 0 means "any"
 * @param memory_mib memory in MiB in all; 0 means "not stated"
 * @param gpus accelerators in all
 */
public record Resources(int cores, int nodes, long memory_mib, int gpus) {

    public static final Resources NONE = new Resources(0, 0, 0, 0);

    public Resources {
        if (cores < 0 || nodes < 0 || memory_mib < 0 || gpus < 0) {
            throw new IllegalArgumentException("resources cannot be negative: cores=" + cores + " nodes=" + nodes
                    + " memory_mib=" + memory_mib + " gpus=" + gpus);
        }
    }

    public static Resources cores(final int cores) {
        return new Resources(cores, 0, 0, 0);
    }

    public Resources plus(final Resources more) {
        return new Resources(
                Math.addExact(cores, more.cores),
                Math.addExact(nodes, more.nodes),
                Math.addExact(memory_mib, more.memory_mib),
                Math.addExact(gpus, more.gpus));
    }

    /** Subtracts, stopping at zero in each component: what is over-committed is not a credit. */
    public Resources minus(final Resources less) {
        return new Resources(
                Math.max(0, cores - less.cores),
                Math.max(0, nodes - less.nodes),
                Math.max(0, memory_mib - less.memory_mib),
                Math.max(0, gpus - less.gpus));
    }

    /** Whether a request of this size fits into {@code free}; nodes are counted by the workload manager itself. */
    public boolean fitsInto(final Resources free) {
        return cores <= free.cores && memory_mib <= free.memory_mib && gpus <= free.gpus;
    }
}
