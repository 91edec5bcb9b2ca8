package io.millrace.quota.domain.reclaim;

import io.millrace.decide.FreeNodeCapacity;
import io.millrace.decide.PlacementRequest;
import io.millrace.model.UserName;
import io.millrace.quota.domain.account.QuotaAccount;
import io.millrace.quota.domain.account.QuotaAccounts;
import io.millrace.quota.domain.preemption.AllocatedJob;
import io.millrace.quota.domain.preemption.PreemptModes;
import io.millrace.quota.domain.preemption.PreemptModes.Released;
import io.millrace.quota.domain.preemption.Victim;
import io.millrace.quota.domain.view.QuotaPolicy;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the victims for one beneficiary: first in the policy's order, as long as each owner's other jobs fill the quota. If this
 * is not sufficient, from the largest set of each account. Victims that are not needed are then removed.
 */
final class VictimSearch {

    private final QuotaAccounts accounts;
    private final QuotaPolicy policy;
    private final PreemptModes modes;
    private final PreemptibleSurplus surplus;
    private final Map<Released, VictimCandidates> candidates = new EnumMap<>(Released.class);

    VictimSearch(final QuotaAccounts accounts, final QuotaPolicy policy, final PreemptModes modes) {
        this.accounts = accounts;
        this.policy = policy;
        this.modes = modes;
        this.surplus = new PreemptibleSurplus(accounts, policy.rules(), modes);
    }

    /** Called for each victim of a planned reclaim, after it was removed from its account. */
    void preempted(final AllocatedJob victim) {
        candidates.values().forEach(list -> list.remove(victim));
        accountChanged(accounts.of(victim));
    }

    /** Called when an account has changed. */
    void accountChanged(final QuotaAccount account) {
        surplus.accountChanged(account);
    }

    /** Called when a claim has changed the quotas of other accounts. */
    void allAccountsChanged() {
        surplus.allAccountsChanged();
        candidates.clear();
    }

    /** Preemptible cores of all owners except the beneficiary. */
    int freeable(final UserName beneficiary) {
        return surplus.freeable(beneficiary);
    }

    /**
     * @param demand the beneficiary's request
     * @param idle idle cores
     * @param capacity the same by node
     * @return the victims, all of them needed; empty if no set is sufficient
     */
    List<Victim> find(
            final UserName beneficiary,
            final PlacementRequest demand,
            final int idle,
            final FreeNodeCapacity capacity) {
        final EligibleNodes where = EligibleNodes.of(demand, capacity);
        // suspended jobs keep GPUs and memory.
        if (modes.leastRelease() == Released.CORES && demand.resources().gpus() == 0) {
            final List<Victim> victims = find(
                    beneficiary, where, selection(demand, Released.CORES, where.idle(idle), capacity), Released.CORES);
            if (!victims.isEmpty()) {
                return victims;
            }
        }
        return find(
                beneficiary,
                where,
                selection(demand, Released.EVERYTHING, where.idle(idle), capacity),
                Released.EVERYTHING);
    }

    private VictimSelection selection(
            final PlacementRequest demand, final Released freeing, final int idle, final FreeNodeCapacity capacity) {
        return new VictimSelection(demand, policy.rules(), surplus, modes, freeing, idle, capacity.copy());
    }

    private List<Victim> find(
            final UserName beneficiary,
            final EligibleNodes where,
            final VictimSelection freed,
            final Released freeing) {
        freed.addFrom(queueBefore(beneficiary, where, freeing));
        if (!freed.suffices() && policy.rules().minimal()) {
            freed.clear();
            freed.addFrom(
                    VictimQueue.of(surplus.largestSets(beneficiary, where, freeing), policy.order(), order(freeing)));
        }
        if (!freed.suffices()) {
            return List.of();
        }
        if (policy.rules().minimal()) {
            freed.removeUnneeded();
        }
        return freed.victims();
    }

    private VictimQueue queueBefore(final UserName beneficiary, final EligibleNodes where, final Released freeing) {
        if (policy.order().isFixed()) {
            return candidates
                    .computeIfAbsent(
                            freeing,
                            f -> new VictimCandidates(
                                    surplus.candidates(f), order(f), candidate -> surplus.canPreempt(candidate, 0)))
                    .queueFor(beneficiary, where::include);
        }
        final List<AllocatedJob> others = surplus.candidates(freeing).stream()
                .filter(candidate -> !candidate.owner().equals(beneficiary) && where.include(candidate))
                .toList();
        return VictimQueue.of(others, policy.order(), order(freeing));
    }

    private Comparator<AllocatedJob> order(final Released freeing) {
        return policy.order().comparator(job -> modes.leastLoss_core_s(job, freeing));
    }
}
