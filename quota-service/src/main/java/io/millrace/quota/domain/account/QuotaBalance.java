package io.millrace.quota.domain.account;

import io.millrace.model.quota.QuotaTerms;
import org.jspecify.annotations.Nullable;

/** How much of one resource a quota guarantees, and how much of it is left. */
public final class QuotaBalance {

    private final long size;
    private final @Nullable String holder;
    private final QuotaTerms terms;
    private final long later;
    private long left;

    /**
     * @param size what the quota guarantees now
     * @param holder text for the holder; null for a user's own quota on this cluster
     * @param terms limits on borrowing and lending
     * @param earlier in use on clusters whose name sorts before this one; the quota covers those first
     * @param later in use on clusters whose name sorts after this one
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

    /** What no running job has claimed. */
    long left() {
        return left;
    }

    /** What is left for a job that has not started: use on all other clusters counts. */
    long leftForNew() {
        return left - later;
    }

    void claim(final long amount) {
        left -= amount;
    }

    /** Cores that may be in use beyond the quota. */
    long borrowingLimit() {
        return terms.borrowingLimit() == null ? Long.MAX_VALUE : terms.borrowingLimit();
    }

    /** Cores of the quota that are not lent. */
    long notLent() {
        return terms.lendingLimit() == null ? 0 : Math.max(0, size - terms.lendingLimit());
    }
}
