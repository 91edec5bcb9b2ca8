package io.millrace.quota.domain;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/** How much of one resource a claimant is guaranteed under all quotas that stand above: the least of what each leaves. */
final class Guarantee {

    /** Of a resource that no quota counts. */
    static final long UNCOUNTED = Long.MAX_VALUE;

    private final List<Cap> caps;
    private long claimed;

    Guarantee(final List<Cap> caps) {
        this.caps = caps;
    }

    /** Claims this much for work that runs, as far as every quota leaves it. */
    void claim(final long amount) {
        if (caps.isEmpty() || amount > narrowest()) {
            return; // what no quota could ever hold fills none
        }
        final long granted = Math.min(amount, left());
        caps.forEach(cap -> cap.claim(granted));
        claimed += granted;
    }

    private long narrowest() {
        return least(Cap::size);
    }

    private long least(final ToLongFunction<Cap> figure) {
        long least = UNCOUNTED;
        for (final Cap cap : caps) {
            least = Math.min(least, figure.applyAsLong(cap));
        }
        return least;
    }

    /** What the claimant's running work is protected up to: what it has claimed, and what is left. */
    long guaranteed() {
        return caps.isEmpty() ? UNCOUNTED : claimed + left();
    }

    /** What no running work has claimed yet. */
    long left() {
        return Math.max(0, least(Cap::left));
    }

    /**
     * Whether the claimant would be within every quota with so much in use.
     *
     * @param spoken what was promised under each quota to work that comes first
     */
    boolean admits(final long use, final ToLongFunction<Cap> spoken) {
        for (final Cap cap : caps) {
            if (use + spoken.applyAsLong(cap) > claimed + cap.leftForNew()) {
                return false;
            }
        }
        return true;
    }

    /** The quotas above. */
    List<Cap> caps() {
        return caps;
    }

    /** The quota that leaves least. */
    Cap tightest() {
        return caps.size() == 1
                ? caps.getFirst()
                : caps.stream().min(Comparator.comparingLong(Cap::leftForNew)).orElseThrow();
    }
}
