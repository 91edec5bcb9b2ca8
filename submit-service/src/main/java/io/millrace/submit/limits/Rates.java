package io.millrace.submit.limits;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * A rate for each key, with a burst (generic cell rate algorithm, as in ATM traffic control: per key, only the instant is kept at which its use is
 * paid for). Thread-safe.
 */
public final class Rates<K> {

    private static final int MANY = 10_000;

    private final double perUnit_ns;
    private final long burst_ns;
    private final LongSupplier nanoTime;
    private final ConcurrentMap<K, Long> paidAt = new ConcurrentHashMap<>();

    /**
     * @param units that a key may use per {@code period} over a longer time
     * @param burst units that a key may use at once
     * @param nanoTime {@link System#nanoTime}
     */
    public Rates(final long units, final Duration period, final long burst, final LongSupplier nanoTime) {
        this.perUnit_ns = (double) period.toNanos() / units;
        this.burst_ns = (long) (burst * perUnit_ns);
        this.nanoTime = nanoTime;
    }

    /** Uses units; or uses none and returns how long to wait until they are available. */
    public Duration use(final K key, final long units) {
        final long now = nanoTime.getAsLong();
        if (paidAt.size() > MANY) {
            paidAt.values().removeIf(paid -> paid - now <= 0);
        }
        final long cost_ns = (long) (units * perUnit_ns);
        final long[] wait_ns = {0};
        paidAt.compute(key, (same, paid) -> {
            final long begin = paid == null || paid - now < 0 ? now : paid;
            wait_ns[0] = begin + cost_ns - burst_ns - now;
            return wait_ns[0] > 0 ? paid : Long.valueOf(begin + cost_ns);
        });
        return Duration.ofNanos(Math.max(0, wait_ns[0]));
    }
}
