package io.millrace.quota.domain.account;

import io.millrace.model.quota.QuotaTerms;
import org.jspecify.annotations.Nullable;

/** How much of one resource a quota guarantees, and how much of it is left. */
public final class QuotaBalance {

    private final long size;
    private final QuotaTerms terms;
    private final long later;
    /** {@code 16}, or {@code 64 of project:physics}. */
    private final String text;

    private long left;
    private long reserved;
    private int borrowed;

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
        this.terms = terms;
        this.later = later;
        this.left = Math.max(0, size - earlier);
        this.text = holder == null ? Long.toString(size) : size + " of " + holder;
    }

    long size() {
        return size;
    }

    String text() {
        return text;
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

    /** Cores that are reserved for earlier waiting jobs. */
    long reserved() {
        return reserved;
    }

    void reserve(final int cores) {
        reserved += cores;
    }

    /** Cores that are in use or promised beyond the quota. */
    int borrowed() {
        return borrowed;
    }

    void borrow(final int cores) {
        borrowed += cores;
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
