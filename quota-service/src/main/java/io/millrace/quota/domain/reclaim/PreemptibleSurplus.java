package io.millrace.quota.domain.reclaim;

import io.millrace.model.UserName;
import io.millrace.quota.domain.account.QuotaAccount;
import io.millrace.quota.domain.account.QuotaAccounts;
import io.millrace.quota.domain.preemption.AccountKey;
import io.millrace.quota.domain.preemption.AllocatedJob;
import io.millrace.quota.domain.preemption.PreemptModes;
import io.millrace.quota.domain.preemption.PreemptModes.Released;
import io.millrace.quota.domain.preemption.UpqppRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** The cores of each account that can be preempted without going below quota. Computed on first use, and again after a change. */
final class PreemptibleSurplus {

    private final QuotaAccounts accounts;
    private final UpqppRules rules;
    private final PreemptModes modes;
    /** The largest set of each account, of jobs that count towards its quota. */
    private final Map<AccountKey, LargestSubset> most = new HashMap<>();
    /** Preemptible cores of each account. */
    private final Map<AccountKey, Long> freeableOf = new HashMap<>();

    private final Set<QuotaAccount> outdated = new HashSet<>();
    private long freeable;
    private boolean isCounted;

    PreemptibleSurplus(final QuotaAccounts accounts, final UpqppRules rules, final PreemptModes modes) {
        this.accounts = accounts;
        this.rules = rules;
        this.modes = modes;
    }

    void accountChanged(final QuotaAccount account) {
        most.remove(account.key());
        outdated.add(account);
    }

    void allAccountsChanged() {
        most.clear();
        freeableOf.clear();
        outdated.clear();
        freeable = 0;
        isCounted = false;
    }

    /** Whether the job counts towards its owner's quota; if not, it can always be preempted. */
    boolean countsTowardsQuota(final AllocatedJob job) {
        return accounts.of(job).countsTowardsQuota(job, rules);
    }

    /**
     * Whether the job can be preempted.
     *
     * @param given cores of the same account that are already selected, of jobs that count
     */
    boolean canPreempt(final AllocatedJob job, final int given) {
        return !countsTowardsQuota(job) || accounts.of(job).preemptibleCores(rules) - given >= job.cores();
    }

    /** All jobs that could be preempted individually. */
    List<AllocatedJob> candidates(final Released freeing) {
        final List<AllocatedJob> candidates = new ArrayList<>();
        for (final QuotaAccount account : accounts.all()) {
            final boolean hasSome = account.preemptibleCores(rules) > 0;
            account.preemptible().stream()
                    .filter(job -> hasSome || !account.countsTowardsQuota(job, rules))
                    .filter(job -> modes.best(job, freeing) != null)
                    .forEach(candidates::add);
        }
        return candidates;
    }

    /** The largest set of each account, except the beneficiary's, of jobs on these nodes. */
    List<AllocatedJob> largestSets(final UserName beneficiary, final EligibleNodes where, final Released freeing) {
        final List<AllocatedJob> sets = new ArrayList<>();
        for (final QuotaAccount account : accounts.all()) {
            if (!account.owner().equals(beneficiary)) {
                account.preemptible().stream()
                        .filter(job -> !account.countsTowardsQuota(job, rules))
                        .filter(job -> modes.best(job, freeing) != null && where.include(job))
                        .forEach(sets::add);
                sets.addAll(largest(account, where, freeing).jobs());
            }
        }
        return sets;
    }

    private LargestSubset largest(final QuotaAccount account, final EligibleNodes where, final Released freeing) {
        return where.includeAll() && freeing == modes.leastRelease()
                ? largest(account)
                : search(account, where::include, freeing);
    }

    private LargestSubset largest(final QuotaAccount account) {
        return most.computeIfAbsent(account.key(), key -> search(account, job -> true, modes.leastRelease()));
    }

    private LargestSubset search(
            final QuotaAccount account, final Predicate<AllocatedJob> isOfUse, final Released freeing) {
        final List<AllocatedJob> counted = account.preemptible().stream()
                .filter(job -> account.countsTowardsQuota(job, rules) && modes.best(job, freeing) != null)
                .filter(isOfUse)
                .toList();
        return LargestSubset.largest(counted, (int) Math.clamp(account.preemptibleCores(rules), 0, Integer.MAX_VALUE));
    }

    /** Preemptible cores of all owners except the beneficiary. */
    int freeable(final UserName beneficiary) {
        if (!isCounted) {
            accounts.all().forEach(this::count);
            isCounted = true;
        }
        outdated.forEach(this::count);
        outdated.clear();
        return (int) Math.min(freeable - freeableBy(beneficiary), Integer.MAX_VALUE);
    }

    /** A user has several accounts only if a quota applies to a project. */
    private long freeableBy(final UserName owner) {
        if (!accounts.areCoupled()) {
            return freeableOf.getOrDefault(new AccountKey(owner, null), 0L);
        }
        return freeableOf.entrySet().stream()
                .filter(account -> account.getKey().owner().equals(owner))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private void count(final QuotaAccount account) {
        final long cores = freeable(account);
        final Long before = freeableOf.put(account.key(), cores);
        freeable += cores - Objects.requireNonNullElse(before, 0L);
    }

    /** Mode paper uses the surplus and does not check whether a set of jobs has exactly this size. */
    private long freeable(final QuotaAccount account) {
        if (!rules.minimal()) {
            return Math.max(0, account.preemptibleCores(rules));
        }
        return largest(account).cores()
                + account.preemptible().stream()
                        .filter(job -> !account.countsTowardsQuota(job, rules))
                        .mapToLong(AllocatedJob::cores)
                        .sum();
    }
}
