package io.millrace.quota.domain.account;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/** How much of one resource a claimant is guaranteed under all quotas that stand above: the least of what each leaves. */
final class Guarantee {

    /** Of a resource that no quota counts. */
    static final long UNCOUNTED = Long.MAX_VALUE;

    private final List<QuotaBalance> balances;
    private long claimed;

    Guarantee(final List<QuotaBalance> caps) {
        this.balances = caps;
    }

    /** Claims this much for work that runs, as far as every quota leaves it. */
    void claim(final long amount) {
        if (balances.isEmpty() || amount > narrowest()) {
            return; // what no quota could ever hold fills none
        }
        final long granted = Math.min(amount, left());
        balances.forEach(cap -> cap.claim(granted));
        claimed += granted;
    }

    private long narrowest() {
        return least(QuotaBalance::size);
    }

    private long least(final ToLongFunction<QuotaBalance> figure) {
        long least = UNCOUNTED;
        for (final QuotaBalance cap : balances) {
            least = Math.min(least, figure.applyAsLong(cap));
        }
        return least;
    }

    /** What the claimant's running work is protected up to: what it has claimed, and what is left. */
    long guaranteed() {
        return balances.isEmpty() ? UNCOUNTED : claimed + left();
    }

    /** What no running work has claimed yet. */
    long left() {
        return Math.max(0, least(QuotaBalance::left));
    }

    /**
     * Whether the claimant would be within every quota with so much in use.
     *
     * @param spoken what was promised under each quota to work that comes first
     */
    boolean admits(final long use, final ToLongFunction<QuotaBalance> spoken) {
        for (final QuotaBalance cap : balances) {
            if (use + spoken.applyAsLong(cap) > claimed + cap.leftForNew()) {
                return false;
            }
        }
        return true;
    }

    /** The quotas above. */
    List<QuotaBalance> balances() {
        return balances;
    }

    /** The quota that leaves least. */
    QuotaBalance tightest() {
        return balances.size() == 1
                ? balances.getFirst()
                : balances.stream()
                        .min(Comparator.comparingLong(QuotaBalance::leftForNew))
                        .orElseThrow();
    }
}
