package io.millrace.quota.domain.account;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/** How much of one resource all quotas of an account guarantee: the minimum of what each has left. */
final class Guarantee {

    /** For a resource that no quota counts. */
    static final long UNCOUNTED = Long.MAX_VALUE;

    private final List<QuotaBalance> balances;
    private long claimed;

    Guarantee(final List<QuotaBalance> caps) {
        this.balances = caps;
    }

    /** Claims an amount for a running job, up to what every quota has left. */
    void claim(final long amount) {
        if (balances.isEmpty() || amount > narrowest()) {
            return; // a job wider than a quota does not count
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

    /** The amount up to which running jobs are protected: claimed and left. */
    long guaranteed() {
        return balances.isEmpty() ? UNCOUNTED : claimed + left();
    }

    /** What no running job has claimed. */
    long left() {
        return Math.max(0, least(QuotaBalance::left));
    }

    /**
     * Whether the account is within every quota with this amount in use.
     *
     * @param reserved what is reserved in each quota for earlier jobs
     */
    boolean admits(final long use, final ToLongFunction<QuotaBalance> reserved) {
        for (final QuotaBalance cap : balances) {
            if (use + reserved.applyAsLong(cap) > claimed + cap.leftForNew()) {
                return false;
            }
        }
        return true;
    }

    /** The quotas that apply. */
    List<QuotaBalance> balances() {
        return balances;
    }

    /** The quota with the least left. */
    QuotaBalance tightest() {
        return balances.size() == 1
                ? balances.getFirst()
                : balances.stream()
                        .min(Comparator.comparingLong(QuotaBalance::leftForNew))
                        .orElseThrow();
    }
}
