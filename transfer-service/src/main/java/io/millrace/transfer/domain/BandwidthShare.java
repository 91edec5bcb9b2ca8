package io.millrace.transfer.domain;

/**
 * The part of a bandwidth limit that a copy gets when it starts and keeps until it ends. All parts together never exceed the limit.
 *
 * <p>Half of an equal part of the limit is reserved for each free slot, so that a large copy leaves enough for those that start later. Copies
 * that start at the same time divide the rest equally.
 */
final class BandwidthShare {

    private BandwidthShare() {}

    /**
     * @param limit_kib_s of all copies that share it
     * @param slots how many copies may run
     * @param taken how many run; fewer than {@code slots}
     * @param taken_kib_s the sum of their parts
     * @param starting how many copies want to start now, including this one
     * @return in KiB/s; less than 1 if too little is left for a copy
     */
    static long of(
            final long limit_kib_s, final int slots, final int taken, final long taken_kib_s, final int starting) {
        final int free = slots - taken;
        final long reserved = limit_kib_s / (2L * slots);
        final long rest = limit_kib_s - taken_kib_s - free * reserved;
        return reserved + (rest < 0 ? rest : rest / Math.clamp(starting, 1, free));
    }
}
