package io.millrace.quota.domain.account;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A job that does not occupy cores, with its account and the entitlement that the pass decides. */
public final class AccountJob {

    /** Suspended jobs first, then jobs that can start now, then the others; each in order of submission. */
    static final Comparator<AccountJob> QUEUE = AccountJob::compare;

    private static final int SUSPENDED = 0;
    private static final int STARTABLE = 1;
    private static final int OTHER = 2;

    private final JobObserved job;
    private final QuotaAccount account;
    private final int turn;
    /** Whole seconds, as in the key. */
    private final long submitted_s;

    private @Nullable PlannedEntitlement entitlement;

    AccountJob(final JobObserved job, final QuotaAccount account) {
        this.job = job;
        this.account = account;
        this.turn = job.state() instanceof JobState.Suspended ? SUSPENDED : job.isStartable() ? STARTABLE : OTHER;
        this.submitted_s = job.job().submittedAt().getEpochSecond();
    }

    /** Most jobs differ by the first two figures, so that their keys are not read. */
    private static int compare(final AccountJob one, final AccountJob other) {
        if (one.turn != other.turn) {
            return Integer.compare(one.turn, other.turn);
        }
        return one.submitted_s != other.submitted_s
                ? Long.compare(one.submitted_s, other.submitted_s)
                : JobKey.BY_SUBMISSION.compare(one.key(), other.key());
    }

    public JobObserved job() {
        return job;
    }

    JobKey key() {
        return job.job();
    }

    public QuotaAccount account() {
        return account;
    }

    boolean isSuspended() {
        return turn == SUSPENDED;
    }

    public boolean isStartable() {
        return turn == STARTABLE;
    }

    /** @throws NullPointerException if none is decided yet */
    public PlannedEntitlement entitlement() {
        return Objects.requireNonNull(entitlement, "every waiting job has an entitlement");
    }

    public void entitle(final PlannedEntitlement decided) {
        entitlement = decided;
    }
}
