package io.millrace.quota.domain.reclaim;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Preemption;
import io.millrace.model.command.ReserveVictim;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.quota.domain.account.QuotaAccounts;
import io.millrace.quota.domain.view.QuotaPolicy;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
    private final List<JobObserved> candidates;

    /** @param idle idle cores of the cluster */
    ReserveCandidates(
            final QuotaAccounts accounts,
            final Map<JobKey, Entitlement> entitlements,
            final QuotaPolicy policy,
            final int idle,
            final Instant now) {
        this.accounts = accounts;
        this.policy = policy;
        this.now = now;
        this.candidates = accounts.waiting().stream()
                .filter(job -> job.resources().cores() <= idle && job.isStartable() && isPreemptible(job))
                .filter(job -> entitlement(entitlements, job).level() == EntitlementLevel.BORROWED)
                .sorted(Comparator.comparingLong(
                        job -> -entitlement(entitlements, job).priority()))
                .limit(LISTED)
                .toList()
                .reversed();
    }

    private static Entitlement entitlement(final Map<JobKey, Entitlement> entitlements, final JobObserved job) {
        return Objects.requireNonNull(entitlements.get(job.job()), "every waiting job has an entitlement");
    }

    /** Whether it can be requeued as soon as it runs. A task of an array gets its own key when it starts. */
    private boolean isPreemptible(final JobObserved job) {
        return policy.modes().allowed().contains(Preemption.Mode.REQUEUE)
                && job.detail().rerunnable()
                && !job.detail().interactive()
                && job.detail().array() == null
                && !policy.preemptionLimits().protects(now, job.restarts(), now)
                && (!accounts.areCoupled() || isWide(job));
    }

    /** Whether it is wider than what its quotas guarantee, and therefore always borrowed; of shared quotas the agent knows no use. */
    private boolean isWide(final JobObserved job) {
        return job.resources().cores() > accounts.of(job).quota();
    }

    List<ReserveVictim> forBeneficiary(final JobObserved beneficiary) {
        return candidates.stream()
                .filter(job -> !job.owner().equals(beneficiary.owner()))
                .map(job -> new ReserveVictim(job.job(), accounts.of(job).quota()))
                .toList();
    }
}
