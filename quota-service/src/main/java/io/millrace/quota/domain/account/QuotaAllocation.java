package io.millrace.quota.domain.account;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Allocates quota to the waiting jobs in queue order. Q-8: a job is guaranteed if every quota of its account has capacity beyond use and
 * earlier guaranteed jobs; otherwise it borrows, within the limits on borrowing and lending.
 */
final class QuotaAllocation {

    private final BorrowingLimits borrowing;

    QuotaAllocation(final BorrowingLimits borrowing) {
        this.borrowing = borrowing;
    }

    /** The entitlement of the next job, or of so many tasks of an array together; reserves their cores. */
    PlannedEntitlement byQuota(final AccountJob queued, final int tasks) {
        final JobObserved job = queued.job();
        final QuotaAccount account = queued.account();
        final JobObserved together = job.times(tasks);
        final int cores = together.resources().cores();
        final Supplier<String> figures =
                Entitlements.figures(cores, account.inUseOrReserved(), "in use or guaranteed before it", account);
        if (isAdmitted(account, together)) {
            account.reserve(cores);
            return Entitlements.guaranteed(job.job(), account, figures);
        }
        return loan(account, together)
                .map(why -> PlannedEntitlement.held(job.job(), why))
                .orElseGet(() -> account.gpuQuotaExceeded(job.resources())
                        .map(quota -> Entitlements.beyondGpus(job.job(), quota, job.resources()))
                        .orElseGet(() -> Entitlements.borrowed(
                                job.job(), account, job.resources().cores(), figures)));
    }

    /** Whether a job with the tasks of an array gets the level of the first task, guaranteed or borrowed. Reserves nothing. */
    boolean treatsAlike(final AccountJob first, final JobObserved together) {
        return isAdmitted(first.account(), first.job())
                ? isAdmitted(first.account(), together)
                : borrowing.whyNot(together, first.account()).isEmpty();
    }

    /** Why so many tasks of the job may not borrow cores; empty if they may, or are within quota. */
    Optional<String> refusal(final AccountJob queued, final int tasks) {
        final JobObserved together = queued.job().times(tasks);
        return isAdmitted(queued.account(), together) ? Optional.empty() : loan(queued.account(), together);
    }

    /** A suspended job has already started, so the limits do not apply to it. */
    private Optional<String> loan(final QuotaAccount account, final JobObserved job) {
        return job.state() instanceof JobState.Suspended ? Optional.empty() : borrowing.refusal(job, account);
    }

    private static boolean isAdmitted(final QuotaAccount account, final JobObserved job) {
        return account.admits(job.resources(), QuotaBalance::reserved);
    }
}
