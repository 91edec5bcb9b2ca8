package io.millrace.quota.domain.account;

import io.millrace.model.cluster.JobObserved;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What may be borrowed. Q-24: who may borrow so many cores has no more in use beyond the quota. Q-25: who lends only so many of the own
 * cores has the others kept idle; only their own work starts there.
 */
final class BorrowingLimits {

    private final int idle;
    private final Map<QuotaBalance, Integer> borrowed = new HashMap<>();
    /** Cores that are kept for those who lend not all of theirs, and do not use them. */
    private final Map<QuotaBalance, Long> notLent = new HashMap<>();

    private long lent;

    BorrowingLimits(final QuotaAccounts accounts, final Iterable<QuotaBalance> lenders, final int idle) {
        this.idle = idle;
        final Map<QuotaBalance, Long> used = new HashMap<>();
        for (final QuotaAccount account : accounts.all()) {
            for (final QuotaBalance cap : account.balances()) {
                borrowed.merge(cap, account.used() - account.usedWithinQuota(), Integer::sum);
                used.merge(cap, (long) account.used(), Long::sum);
            }
        }
        lenders.forEach(lender -> notLent.put(lender, Math.max(0, lender.notLent() - used.getOrDefault(lender, 0L))));
    }

    /** Why this job, which no quota covers, may not borrow its cores now; empty if it may, and then it is counted as if it did. */
    Optional<String> refusal(final JobObserved job, final QuotaAccount account) {
        final int cores = job.resources().cores();
        for (final QuotaBalance cap : account.balances()) {
            final int before = borrowed.getOrDefault(cap, 0);
            if (before + (long) cores > cap.mayBorrow()) {
                return Optional.of("borrowing limit of quota " + cap.text() + ": at most " + cap.mayBorrow()
                        + " cores beyond it (" + cores + " cores; " + before + " borrowed already)");
            }
        }
        final long keptFromIt = notLent.entrySet().stream()
                .filter(lender -> !account.balances().contains(lender.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
        if (keptFromIt > 0 && cores > idle - lent - keptFromIt) {
            return Optional.of("lending limit: idle cores are kept for those who do not lend them (" + cores
                    + " cores; " + (idle - lent) + " idle, " + keptFromIt + " of them kept)");
        }
        account.balances().forEach(cap -> borrowed.merge(cap, cores, Integer::sum));
        lent += notLent.isEmpty() ? 0 : cores;
        return Optional.empty();
    }
}
