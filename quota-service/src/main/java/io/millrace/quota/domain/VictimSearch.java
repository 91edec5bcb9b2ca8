package io.millrace.quota.domain;

import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.view.NodeRoom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the jobs that give way to one beneficiary: in the policy's order while each owner's rest still fills the quota;
 * if that falls short though the cores are there, the largest set that each account can give; then whoever is not needed is left out.
 */
final class VictimSearch {

    private final Accounts accounts;
    private final QuotaPolicy policy;
    private final Instant now;
    /** The most each account can give; kept until the account changes. */
    private final Map<Claimant, Subset> most = new HashMap<>();
    /** Cores that each account could give, and their sum: counted once, then kept. */
    private final Map<Claimant, Long> freeableOf = new HashMap<>();

    private long freeable;
    private boolean isCounted;
    private @Nullable Lineup lineup;

    VictimSearch(final Accounts accounts, final QuotaPolicy policy, final Instant now) {
        this.accounts = accounts;
        this.policy = policy;
        this.now = now;
    }

    /** To be told of each victim of a reclaim that was decided, once its account is without it. */
    void taken(final Occupant victim) {
        if (lineup != null) {
            lineup.take(victim);
        }
        changed(accounts.of(victim));
    }

    /** To be told whenever an account has changed. */
    void changed(final Account account) {
        most.remove(account.claimant());
        if (isCounted) {
            count(account);
        }
    }

    /** To be told when a new claim has changed what quotas leave for others. */
    void allChanged() {
        most.clear();
        freeableOf.clear();
        freeable = 0;
        isCounted = false;
        lineup = null;
    }

    /** Cores that everybody but {@code beneficiary} could give in all. */
    int freeable(final UserName beneficiary) {
        if (!isCounted) {
            accounts.all().forEach(this::count);
            isCounted = true;
        }
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
        freeable += cores - (before == null ? 0 : before);
    }

    private long freeable(final Account account) {
        if (!policy.rules().wideYields()) {
            return Math.max(0, account.aboveQuota() - 1);
        }
        return most(account).cores()
                + account.takeableWide().stream().mapToLong(Occupant::cores).sum();
    }

    /**
     * @param idle cores that are free already
     * @param room the same node by node
     * @return the victims, none of whom could be left out; empty if no set suffices
     */
    List<Occupant> find(final JobObserved beneficiary, final int idle, final NodeRoom room) {
        final Freed freed = new Freed(beneficiary, idle, room.copy());
        takeInOrder(queueBefore(beneficiary.owner()), freed);
        if (!freed.suffices() && policy.rules().minimal()) {
            freed.clear();
            takeInOrder(VictimQueue.of(largestSets(beneficiary.owner()), policy.order(), now), freed);
        }
        if (!freed.suffices()) {
            return List.of();
        }
        return policy.rules().minimal() ? freed.withoutNeedless() : freed.victims();
    }

    /** Takes one after another, in the policy's order, until it is enough; those whose owner cannot spare them are passed over. */
    private void takeInOrder(final VictimQueue queue, final Freed freed) {
        while (!freed.suffices()) {
            final Occupant next = queue.next(freed.missing());
            if (next == null) {
                return;
            }
            if (mayGive(next, freed)) {
                freed.add(next);
            }
        }
    }

    private VictimQueue queueBefore(final UserName beneficiary) {
        if (!policy.order().isFixed()) {
            final List<Occupant> others = candidates().stream()
                    .filter(candidate -> !candidate.owner().equals(beneficiary))
                    .toList();
            return VictimQueue.of(others, policy.order(), now);
        }
        if (lineup == null) {
            lineup = new Lineup(candidates(), policy.order().comparator(now, 0), this::canGive);
        }
        return lineup.before(beneficiary);
    }

    /** Whether the owner could spare it if nobody else were taken. */
    private boolean canGive(final Occupant candidate) {
        final Account account = accounts.of(candidate);
        if (!policy.rules().wideYields()) {
            return policy.rules().enough((long) account.used() - candidate.cores(), account.quota());
        }
        return account.isWide(candidate) || account.surplus() >= candidate.cores();
    }

    private boolean mayGive(final Occupant candidate, final Freed freed) {
        final Account account = accounts.of(candidate);
        if (!policy.rules().wideYields()) {
            return policy.rules()
                    .enough(
                            (long) account.used() - freed.from(account.claimant()) - candidate.cores(),
                            account.quota());
        }
        return account.isWide(candidate)
                || account.surplus() - freed.narrowFrom(account.claimant()) >= candidate.cores();
    }

    private List<Occupant> candidates() {
        final List<Occupant> candidates = new ArrayList<>();
        for (final Account account : accounts.all()) {
            if (!policy.rules().wideYields()) {
                candidates.addAll(account.aboveQuota() > 0 ? account.takeable() : List.of());
                continue;
            }
            candidates.addAll(account.takeableWide());
            if (account.surplus() > 0) {
                candidates.addAll(account.takeableNarrow());
            }
        }
        return candidates;
    }

    private List<Occupant> largestSets(final UserName beneficiary) {
        final List<Occupant> sets = new ArrayList<>();
        for (final Account account : accounts.all()) {
            if (!account.owner().equals(beneficiary)) {
                sets.addAll(account.takeableWide());
                sets.addAll(most(account).jobs());
            }
        }
        return sets;
    }

    private Subset most(final Account account) {
        return most.computeIfAbsent(
                account.claimant(), who -> Subset.largest(account.takeableNarrow(), account.surplus()));
    }

    /** What a set of victims would free. */
    private final class Freed {

        private final JobObserved beneficiary;
        private final NodeRoom room;
        private final List<Occupant> victims = new ArrayList<>();
        private final Map<Claimant, Integer> narrow = new HashMap<>();
        private final Map<Claimant, Integer> all = new HashMap<>();
        private long cores;

        private Freed(final JobObserved beneficiary, final int idle, final NodeRoom room) {
            this.beneficiary = beneficiary;
            this.cores = policy.rules().idleCounts() ? idle : 0;
            this.room = room;
        }

        boolean suffices() {
            return policy.rules().enough(cores, beneficiary.resources().cores()) && room.fits(beneficiary.resources());
        }

        /** Cores that are still to be freed. */
        long missing() {
            return Math.max(
                    0, beneficiary.resources().cores() - cores + (policy.rules().strictly() ? 1 : 0));
        }

        List<Occupant> victims() {
            return List.copyOf(victims);
        }

        int from(final Claimant claimant) {
            return all.getOrDefault(claimant, 0);
        }

        int narrowFrom(final Claimant claimant) {
            return narrow.getOrDefault(claimant, 0);
        }

        void add(final Occupant victim) {
            victims.add(victim);
            count(victim, 1);
            room.give(victim.resources(), victim.nodes());
        }

        void clear() {
            List.copyOf(victims).forEach(this::drop);
            victims.clear();
        }

        /** Leaves out, beginning with the one that would be taken last, whoever is not needed. */
        List<Occupant> withoutNeedless() {
            final List<Occupant> kept = new ArrayList<>(victims);
            for (int i = kept.size() - 1; i >= 0; i--) {
                drop(kept.get(i));
                if (suffices()) {
                    kept.remove(i);
                } else {
                    count(kept.get(i), 1);
                    room.give(kept.get(i).resources(), kept.get(i).nodes());
                }
            }
            return kept;
        }

        private void drop(final Occupant victim) {
            count(victim, -1);
            room.takeBack(victim.resources(), victim.nodes());
        }

        private void count(final Occupant victim, final int sign) {
            cores += (long) sign * victim.cores();
            all.merge(victim.claimant(), sign * victim.cores(), Integer::sum);
            if (!accounts.of(victim).isWide(victim)) {
                narrow.merge(victim.claimant(), sign * victim.cores(), Integer::sum);
            }
        }
    }
}
