package io.millrace.quota.domain;

import io.millrace.model.UserName;
import io.millrace.quota.domain.Ways.Freeing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** What each account can give without its owner going below quota, counted when first asked for and kept until the account changes. */
final class Spare {

    private final Accounts accounts;
    private final UpqppRules rules;
    private final Ways ways;
    /** The most each account can give of what counts for its quota, by a search of all sums. */
    private final Map<Claimant, Subset> most = new HashMap<>();
    /** Cores that each account could give, and their sum. */
    private final Map<Claimant, Long> freeableOf = new HashMap<>();

    private final Set<Account> outdated = new HashSet<>();
    private long freeable;
    private boolean isCounted;

    Spare(final Accounts accounts, final UpqppRules rules, final Ways ways) {
        this.accounts = accounts;
        this.rules = rules;
        this.ways = ways;
    }

    void changed(final Account account) {
        most.remove(account.claimant());
        outdated.add(account);
    }

    void allChanged() {
        most.clear();
        freeableOf.clear();
        outdated.clear();
        freeable = 0;
        isCounted = false;
    }

    /** Whether it counts for what its owner keeps; else it can always be given. */
    boolean counts(final Occupant job) {
        return accounts.of(job).countsForQuota(job, rules);
    }

    /**
     * Whether the owner can give it.
     *
     * @param given cores of the same account that are given already, of those that count
     */
    boolean canGive(final Occupant job, final int given) {
        return !counts(job) || accounts.of(job).spare(rules) - given >= job.cores();
    }

    /** All who could be taken if nobody else were. */
    List<Occupant> candidates(final Freeing freeing) {
        final List<Occupant> candidates = new ArrayList<>();
        for (final Account account : accounts.all()) {
            final boolean hasSome = account.spare(rules) > 0;
            account.takeable().stream()
                    .filter(job -> hasSome || !account.countsForQuota(job, rules))
                    .filter(job -> ways.best(job, freeing) != null)
                    .forEach(candidates::add);
        }
        return candidates;
    }

    /** The largest set that each account but those of {@code beneficiary} can give of jobs on these nodes. */
    List<Occupant> largestSets(final UserName beneficiary, final EligibleNodes where, final Freeing freeing) {
        final List<Occupant> sets = new ArrayList<>();
        for (final Account account : accounts.all()) {
            if (!account.owner().equals(beneficiary)) {
                account.takeable().stream()
                        .filter(job -> !account.countsForQuota(job, rules))
                        .filter(job -> ways.best(job, freeing) != null && where.hold(job))
                        .forEach(sets::add);
                sets.addAll(largest(account, where, freeing).jobs());
            }
        }
        return sets;
    }

    private Subset largest(final Account account, final EligibleNodes where, final Freeing freeing) {
        return where.areAll() && freeing == ways.widest() ? largest(account) : search(account, where::hold, freeing);
    }

    private Subset largest(final Account account) {
        return most.computeIfAbsent(account.claimant(), who -> search(account, job -> true, ways.widest()));
    }

    private Subset search(final Account account, final Predicate<Occupant> isOfUse, final Freeing freeing) {
        final List<Occupant> counted = account.takeable().stream()
                .filter(job -> account.countsForQuota(job, rules) && ways.best(job, freeing) != null)
                .filter(isOfUse)
                .toList();
        return Subset.largest(counted, (int) Math.clamp(account.spare(rules), 0, Integer.MAX_VALUE));
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
        if (!accounts.areIntertwined()) {
            return freeableOf.getOrDefault(new Claimant(owner, null), 0L);
        }
        return freeableOf.entrySet().stream()
                .filter(account -> account.getKey().owner().equals(owner))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private void count(final Account account) {
        final long cores = freeable(account);
        final Long before = freeableOf.put(account.claimant(), cores);
        freeable += cores - Objects.requireNonNullElse(before, 0L);
    }

    /** As published nobody looks which sizes fit together: the surplus is what there is. */
    private long freeable(final Account account) {
        if (!rules.minimal()) {
            return Math.max(0, account.spare(rules));
        }
        return largest(account).cores()
                + account.takeable().stream()
                        .filter(job -> !account.countsForQuota(job, rules))
                        .mapToLong(Occupant::cores)
                        .sum();
    }
}
