package io.millrace.quota.domain.account;

import io.millrace.model.cluster.JobObserved;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Limits on borrowing and lending. Cores that a quota does not lend stay idle for the jobs of that quota.
 */
final class BorrowingLimits {

    private final int idle;
    /** Idle cores that a quota does not lend. */
    private final Map<QuotaBalance, Long> notLent = new HashMap<>();

    private long lent;

    BorrowingLimits(final QuotaAccounts accounts, final List<QuotaBalance> lenders, final int idle) {
        this.idle = idle;
        final Map<QuotaBalance, Long> used = new HashMap<>();
        for (final QuotaAccount account : accounts.all()) {
            for (final QuotaBalance cap : account.balances()) {
                cap.borrow(account.used() - account.usedWithinQuota());
                if (!lenders.isEmpty()) {
                    used.merge(cap, (long) account.used(), Long::sum);
                }
            }
        }
        lenders.forEach(lender -> notLent.put(lender, Math.max(0, lender.notLent() - used.getOrDefault(lender, 0L))));
    }

    /** Why this job beyond quota may not borrow its cores now. If it may, the result is empty and the cores count as borrowed. */
    Optional<String> refusal(final JobObserved job, final QuotaAccount account) {
        final Optional<String> why = whyNot(job, account);
        if (why.isEmpty()) {
            final int cores = job.resources().cores();
            account.balances().forEach(cap -> cap.borrow(cores));
            lent += notLent.isEmpty() ? 0 : cores;
        }
        return why;
    }

    /** As {@link #refusal}, but nothing is counted. */
    Optional<String> whyNot(final JobObserved job, final QuotaAccount account) {
        final int cores = job.resources().cores();
        for (final QuotaBalance cap : account.balances()) {
            final int before = cap.borrowed();
            if (before + (long) cores > cap.borrowingLimit()) {
                return Optional.of("borrowing limit of quota " + cap.text() + ": at most " + cap.borrowingLimit()
                        + " cores beyond it (" + cores + " cores; " + before + " already borrowed)");
            }
        }
        if (notLent.isEmpty()) {
            return Optional.empty();
        }
        final long keptFromIt = notLent.entrySet().stream()
                .filter(lender -> !account.balances().contains(lender.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
        if (keptFromIt > 0 && cores > idle - lent - keptFromIt) {
            return Optional.of("lending limit: idle cores are reserved for quotas that do not lend them (" + cores
                    + " cores; " + (idle - lent) + " idle, " + keptFromIt + " of them reserved)");
        }
        return Optional.empty();
    }
}
