package io.millrace.quota.domain.reclaim;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Preemption;
import io.millrace.model.command.ReserveVictim;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.quota.domain.account.AccountJob;
import io.millrace.quota.domain.account.QuotaAccounts;
import io.millrace.quota.domain.view.QuotaPolicy;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * borrowed waiting jobs that may start, before a reclaim is executed, on idle cores that it counts on. Those that would start last are
 * the first choice.
 */
final class ReserveCandidates {

    /** More jobs than these seldom start from one revision. */
    private static final int LISTED = 100;

    private final QuotaAccounts accounts;
    private final QuotaPolicy policy;
    private final Instant now;
    private final List<AccountJob> candidates;

    /** @param idle idle cores of the cluster */
    ReserveCandidates(final QuotaAccounts accounts, final QuotaPolicy policy, final int idle, final Instant now) {
        this.accounts = accounts;
        this.policy = policy;
        this.now = now;
        this.candidates = accounts.waiting().stream()
                .filter(queued -> queued.isStartable()
                        && queued.job().resources().cores() <= idle
                        && queued.entitlement().level() == EntitlementLevel.BORROWED
                        && isPreemptible(queued))
                .sorted(Comparator.comparingLong(queued -> -queued.entitlement().priority()))
                .limit(LISTED)
                .toList()
                .reversed();
    }

    /** Whether it can be requeued as soon as it runs. A task of an array gets its own key when it starts. */
    private boolean isPreemptible(final AccountJob queued) {
        final JobObserved job = queued.job();
        return policy.modes().allowed().contains(Preemption.Mode.REQUEUE)
                && job.detail().rerunnable()
                && !job.detail().interactive()
                && job.detail().array() == null
                && !policy.preemptionLimits().protects(now, job.restarts(), now)
                && (!accounts.areCoupled() || isWide(queued));
    }

    /** Whether it is wider than what its quotas guarantee, and therefore always borrowed; of shared quotas the agent knows no use. */
    private static boolean isWide(final AccountJob queued) {
        return queued.job().resources().cores() > queued.account().quota();
    }

    List<ReserveVictim> forBeneficiary(final JobObserved beneficiary) {
        return candidates.stream()
                .filter(queued -> !queued.job().owner().equals(beneficiary.owner()))
                .map(queued ->
                        new ReserveVictim(queued.job().job(), queued.account().quota()))
                .toList();
    }
}
