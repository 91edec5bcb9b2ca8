package io.millrace.quota.domain.account;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.policy.Entitlement;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Allocates quota to the waiting jobs in queue order. Q-8: a job is guaranteed if every quota of its account has capacity beyond use and
 * earlier guaranteed jobs; otherwise it borrows, within the limits on borrowing and lending.
 */
final class QuotaAllocation {

    private final QuotaAccounts accounts;
    private final BorrowingLimits borrowing;
    /** Cores of each quota that are reserved for earlier jobs. */
    private final Map<QuotaBalance, Long> reserved = new HashMap<>();
    /** Cores of each account that are in use or reserved. */
    private final Map<QuotaAccount, Integer> before = new HashMap<>();

    QuotaAllocation(final QuotaAccounts accounts, final BorrowingLimits borrowing) {
        this.accounts = accounts;
        this.borrowing = borrowing;
    }

    /** The entitlement of the next job, or of so many tasks of an array together; reserves their cores. */
    Entitlement byQuota(final JobObserved job, final int tasks) {
        final QuotaAccount account = accounts.of(job);
        final JobObserved together = job.times(tasks);
        final int cores = together.resources().cores();
        final int others = before.getOrDefault(account, account.used());
        final String figures = Entitlements.figures(cores, others, "in use or guaranteed before it", account);
        if (isAdmitted(together)) {
            before.put(account, others + cores);
            account.balances().forEach(cap -> reserved.merge(cap, (long) cores, Long::sum));
            return Entitlements.guaranteed(job.job(), account, figures);
        }
        return loan(together)
                .map(why -> Entitlements.held(job.job(), why))
                .orElseGet(() -> account.gpuQuotaExceeded(job.resources())
                        .map(quota -> Entitlements.beyondGpus(job.job(), quota, job.resources()))
                        .orElseGet(() -> Entitlements.borrowed(
                                job.job(), account, job.resources().cores(), figures)));
    }

    /** Whether a job with the tasks of an array gets the level of the first task, guaranteed or borrowed. Reserves nothing. */
    boolean treatsAlike(final JobObserved first, final JobObserved together) {
        return isAdmitted(first)
                ? isAdmitted(together)
                : borrowing.whyNot(together, accounts.of(together)).isEmpty();
    }

    /** Why the job may not borrow cores; empty if it may, or is within quota. */
    Optional<String> refusal(final JobObserved job) {
        return isAdmitted(job) ? Optional.empty() : loan(job);
    }

    /** A suspended job has already started, so the limits do not apply to it. */
    private Optional<String> loan(final JobObserved job) {
        return job.state() instanceof JobState.Suspended ? Optional.empty() : borrowing.refusal(job, accounts.of(job));
    }

    private boolean isAdmitted(final JobObserved job) {
        return accounts.of(job).admits(job.resources(), cap -> reserved.getOrDefault(cap, 0L));
    }
}
