package io.millrace.quota.domain.reclaim;

import io.millrace.decide.FreeNodeCapacity;
import io.millrace.decide.NodeShare;
import io.millrace.decide.PlacementRequest;
import io.millrace.model.JobKey;
import io.millrace.quota.domain.preemption.AccountKey;
import io.millrace.quota.domain.preemption.AllocatedJob;
import io.millrace.quota.domain.preemption.PreemptModes;
import io.millrace.quota.domain.preemption.PreemptModes.Released;
import io.millrace.quota.domain.preemption.UpqppRules;
import io.millrace.quota.domain.preemption.Victim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A set of victims, and the resources that it frees for one beneficiary. */
final class VictimSelection {

    private final PlacementRequest demand;
    private final UpqppRules rules;
    private final PreemptibleSurplus surplus;
    private final PreemptModes modes;
    private final Released freeing;
    private final FreeNodeCapacity capacity;
    private final List<AllocatedJob> victims = new ArrayList<>();
    /** Selected cores of each account, of jobs that count towards its quota. */
    private final Map<AccountKey, Integer> given = new HashMap<>();

    /** What each selected job releases on its nodes. */
    private final Map<JobKey, List<NodeShare>> freed = new HashMap<>();

    private long cores;
    /** Cores of selected jobs whose nodes are not known. */
    private long unplacedCores;

    /**
     * @param demand the beneficiary's request
     * @param idle idle cores where the beneficiary may run
     * @param capacity free resources by node; modified with the selection
     */
    VictimSelection(
            final PlacementRequest demand,
            final UpqppRules rules,
            final PreemptibleSurplus spare,
            final PreemptModes modes,
            final Released freeing,
            final int idle,
            final FreeNodeCapacity capacity) {
        this.demand = demand;
        this.rules = rules;
        this.surplus = spare;
        this.modes = modes;
        this.freeing = freeing;
        this.cores = rules.idleCounts() ? idle : 0;
        this.capacity = capacity;
    }

    boolean suffices() {
        return rules.isSufficient(cores, demand.resources().cores())
                && (unplacedCores > 0 ? capacity.fits(demand) : capacity.hasRoomFor(demand));
    }

    /** Adds candidates until they are sufficient; skips those that must not be preempted. */
    void addFrom(final VictimQueue queue) {
        while (!suffices()) {
            final AllocatedJob next = queue.next(missing());
            if (next == null) {
                return;
            }
            if (surplus.canPreempt(next, given.getOrDefault(next.account(), 0))) {
                victims.add(next);
                count(next, 1);
            }
        }
    }

    /** Cores still to be freed. */
    private long missing() {
        return Math.max(0, demand.resources().cores() - cores + (rules.strictly() ? 1 : 0));
    }

    void clear() {
        victims.forEach(job -> count(job, -1));
        victims.clear();
    }

    /** Removes victims that are not needed, beginning with the last added. */
    void removeUnneeded() {
        for (int i = victims.size() - 1; i >= 0; i--) {
            final AllocatedJob job = victims.get(i);
            count(job, -1);
            if (suffices()) {
                victims.remove(i);
            } else {
                count(job, 1);
            }
        }
    }

    List<Victim> victims() {
        return victims.stream()
                .map(job -> new Victim(job, modes.of(job, freeing)))
                .toList();
    }

    private void count(final AllocatedJob job, final int sign) {
        cores += (long) sign * job.cores();
        unplacedCores += job.nodes().isEmpty() ? (long) sign * job.cores() : 0;
        if (surplus.countsTowardsQuota(job)) {
            given.merge(job.account(), sign * job.cores(), Integer::sum);
        }
        if (sign > 0) {
            final List<NodeShare> shares =
                    capacity.leastShares(Victim.vacated(job, modes.best(job, freeing)), job.nodes());
            freed.put(job.job(), shares);
            capacity.give(shares);
        } else {
            capacity.take(Objects.requireNonNull(freed.remove(job.job()), "a selected job has shares"));
        }
    }
}
