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

/** What each account can give without its owner going below quota, counted when first asked for and kept until the account changes. */
final class PreemptibleSurplus {

    private final QuotaAccounts accounts;
    private final UpqppRules rules;
    private final PreemptModes ways;
    /** The most each account can give of what counts for its quota, by a search of all sums. */
    private final Map<AccountKey, LargestSubset> most = new HashMap<>();
    /** Cores that each account could give, and their sum. */
    private final Map<AccountKey, Long> freeableOf = new HashMap<>();

    private final Set<QuotaAccount> outdated = new HashSet<>();
    private long freeable;
    private boolean isCounted;

    PreemptibleSurplus(final QuotaAccounts accounts, final UpqppRules rules, final PreemptModes ways) {
        this.accounts = accounts;
        this.rules = rules;
        this.ways = ways;
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

    /** Whether it counts for what its owner keeps; else it can always be given. */
    boolean countsTowardsQuota(final AllocatedJob job) {
        return accounts.of(job).countsTowardsQuota(job, rules);
    }

    /**
     * Whether the owner can give it.
     *
     * @param given cores of the same account that are given already, of those that count
     */
    boolean canPreempt(final AllocatedJob job, final int given) {
        return !countsTowardsQuota(job) || accounts.of(job).preemptibleCores(rules) - given >= job.cores();
    }

    /** All who could be taken if nobody else were. */
    List<AllocatedJob> candidates(final Released freeing) {
        final List<AllocatedJob> candidates = new ArrayList<>();
        for (final QuotaAccount account : accounts.all()) {
            final boolean hasSome = account.preemptibleCores(rules) > 0;
            account.preemptible().stream()
                    .filter(job -> hasSome || !account.countsTowardsQuota(job, rules))
                    .filter(job -> ways.best(job, freeing) != null)
                    .forEach(candidates::add);
        }
        return candidates;
    }

    /** The largest set that each account but those of {@code beneficiary} can give of jobs on these nodes. */
    List<AllocatedJob> largestSets(final UserName beneficiary, final EligibleNodes where, final Released freeing) {
        final List<AllocatedJob> sets = new ArrayList<>();
        for (final QuotaAccount account : accounts.all()) {
            if (!account.owner().equals(beneficiary)) {
                account.preemptible().stream()
                        .filter(job -> !account.countsTowardsQuota(job, rules))
                        .filter(job -> ways.best(job, freeing) != null && where.include(job))
                        .forEach(sets::add);
                sets.addAll(largest(account, where, freeing).jobs());
            }
        }
        return sets;
    }

    private LargestSubset largest(final QuotaAccount account, final EligibleNodes where, final Released freeing) {
        return where.includeAll() && freeing == ways.leastRelease()
                ? largest(account)
                : search(account, where::include, freeing);
    }

    private LargestSubset largest(final QuotaAccount account) {
        return most.computeIfAbsent(account.key(), who -> search(account, job -> true, ways.leastRelease()));
    }

    private LargestSubset search(
            final QuotaAccount account, final Predicate<AllocatedJob> isOfUse, final Released freeing) {
        final List<AllocatedJob> counted = account.preemptible().stream()
                .filter(job -> account.countsTowardsQuota(job, rules) && ways.best(job, freeing) != null)
                .filter(isOfUse)
                .toList();
        return LargestSubset.largest(counted, (int) Math.clamp(account.preemptibleCores(rules), 0, Integer.MAX_VALUE));
    }

    /** Cores that everybody but {@code beneficiary} could give in all. */
    int freeable(final UserName beneficiary) {
        if (!isCounted) {
            accounts.all().forEach(this::count);
            isCounted = true;
        }
        outdated.forEach(this::count);
        outdated.clear();
        return (int) Math.min(freeable - freeableBy(beneficiary), Integer.MAX_VALUE);
    }

    /** Only where quotas stand above projects has one user several accounts. */
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

    /** As published nobody looks which sizes fit together: the surplus is what there is. */
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
