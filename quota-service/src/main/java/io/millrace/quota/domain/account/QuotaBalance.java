package io.millrace.quota.domain.account;

import io.millrace.model.policy.QuotaTerms;
import org.jspecify.annotations.Nullable;

/** What one quota guarantees of one resource, to all who draw on it together. */
public final class QuotaBalance {

    private final long size;
    private final @Nullable String holder;
    private final QuotaTerms terms;
    private final long later;
    private long left;

    /**
     * @param size what it guarantees at this instant
     * @param holder who holds it, in words; null for a user's own quota on this cluster
     * @param terms limits on borrowing and lending
     * @param earlier in use on clusters that come before this one: the quota covers those first
     * @param later in use on clusters that come after it
     */
    QuotaBalance(
            final long size,
            final @Nullable String holder,
            final QuotaTerms terms,
            final long earlier,
            final long later) {
        this.size = size;
        this.holder = holder;
        this.terms = terms;
        this.later = later;
        this.left = Math.max(0, size - earlier);
    }

    long size() {
        return size;
    }

    /** {@code 16}, or {@code 64 of project:physics}. */
    String text() {
        return holder == null ? Long.toString(size) : size + " of " + holder;
    }

    /** What nobody's running work has claimed yet. */
    long left() {
        return left;
    }

    /** The same for work that is yet to start: what runs elsewhere counts wherever it runs. */
    long leftForNew() {
        return left - later;
    }

    void claim(final long amount) {
        left -= amount;
    }

    /** Cores that may be in use beyond it. */
    long mayBorrow() {
        return terms.mayBorrow() == null ? Long.MAX_VALUE : terms.mayBorrow();
    }

    /** Of its cores, those that are not lent. */
    long notLent() {
        return terms.mayLend() == null ? 0 : Math.max(0, size - terms.mayLend());
    }
}
