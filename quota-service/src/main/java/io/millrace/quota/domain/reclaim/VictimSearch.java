package io.millrace.quota.domain.reclaim;

import io.millrace.model.UserName;
import io.millrace.model.view.PlacementRequest;
import io.millrace.model.view.FreeNodeCapacity;
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
 * Looks for the jobs that give way to one beneficiary: in the policy's order while each owner's rest still fills the quota;
 * if that falls short though the cores are there, the largest set that each account can give; then whoever is not needed is left out.
 */
final class VictimSearch {

    private final QuotaAccounts accounts;
    private final QuotaPolicy policy;
    private final PreemptModes ways;
    private final PreemptibleSurplus surplus;
    private final Map<Released, VictimCandidates> candidates = new EnumMap<>(Released.class);

    VictimSearch(final QuotaAccounts accounts, final QuotaPolicy policy, final PreemptModes ways) {
        this.accounts = accounts;
        this.policy = policy;
        this.ways = ways;
        this.surplus = new PreemptibleSurplus(accounts, policy.rules(), ways);
    }

    /** To be told of each victim of a reclaim that was decided, once its account is without it. */
    void preempted(final AllocatedJob victim) {
        candidates.values().forEach(lineup -> lineup.remove(victim));
        accountChanged(accounts.of(victim));
    }

    /** To be told whenever an account has changed. */
    void accountChanged(final QuotaAccount account) {
        surplus.accountChanged(account);
    }

    /** To be told when a new claim has changed what quotas leave for others. */
    void allAccountsChanged() {
        surplus.allAccountsChanged();
        candidates.clear();
    }

    /** Cores that everybody but {@code beneficiary} could give in all. */
    int freeable(final UserName beneficiary) {
        return surplus.freeable(beneficiary);
    }

    /**
     * @param demand what the beneficiary asks of its nodes
     * @param idle cores that are free already
     * @param room the same node by node
     * @return the victims, none of whom could be left out; empty if no set suffices
     */
    List<Victim> find(final UserName beneficiary, final PlacementRequest demand, final int idle, final FreeNodeCapacity room) {
        final EligibleNodes where = EligibleNodes.of(demand, room);
        // cores of suspended jobs are of no use to who needs GPUs, and may be of none to who needs memory.
        if (ways.leastRelease() == Released.CORES && demand.resources().gpus() == 0) {
            final List<Victim> victims =
                    find(beneficiary, where, selection(demand, Released.CORES, where.idle(idle), room), Released.CORES);
            if (!victims.isEmpty()) {
                return victims;
            }
        }
        return find(
                beneficiary,
                where,
                selection(demand, Released.EVERYTHING, where.idle(idle), room),
                Released.EVERYTHING);
    }

    private VictimSelection selection(
            final PlacementRequest demand, final Released freeing, final int idle, final FreeNodeCapacity room) {
        return new VictimSelection(demand, policy.rules(), surplus, ways, freeing, idle, room.copy());
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
        return policy.order().comparator(job -> ways.leastLoss_core_s(job, freeing));
    }
}
