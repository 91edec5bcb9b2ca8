package io.millrace.quota.domain.reclaim;

import io.millrace.decide.FreeNodeCapacity;
import io.millrace.decide.JobEligibility;
import io.millrace.decide.PlacementRequest;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Command;
import io.millrace.model.command.ReserveVictim;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.quota.domain.account.AccountJob;
import io.millrace.quota.domain.account.PlannedEntitlement;
import io.millrace.quota.domain.account.QuotaAccount;
import io.millrace.quota.domain.account.QuotaAccounts;
import io.millrace.quota.domain.account.TaskCover;
import io.millrace.quota.domain.preemption.PreemptModes;
import io.millrace.quota.domain.preemption.Victim;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.domain.view.QuotaView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plans the reclaims of one cluster. Q-7: a waiting job that could start, does not fit and is within quota gets cores that others borrow.
 * if the cores cannot be freed, no job is preempted, and a veto has the reason. Q-34: cores on which a job within quota will start
 * are reserved for it.
 */
public final class ReclaimPlanner {

    private final QuotaView view;
    private final QuotaAccounts accounts;
    private final QuotaPolicy policy;
    private final Instant now;
    private final VictimSearch search;
    private final ReclaimVetoes vetoes;
    private final FreeNodeCapacity capacity;
    private final JobEligibility eligibility;
    /** Requests that did not fit since cores were last freed. */
    private final Set<PlacementRequest> doesNotFit = new HashSet<>();

    private final List<Command> commands = new ArrayList<>();
    private @Nullable ReserveCandidates reserve;
    private int idle;
    /** Whether the quotas must be recomputed because of new claims. */
    private boolean claimed;

    public ReclaimPlanner(
            final QuotaView view,
            final QuotaAccounts accounts,
            final QuotaPolicy policy,
            final PreemptModes modes,
            final Instant now) {
        this.view = view;
        this.accounts = accounts;
        this.policy = policy;
        this.now = now;
        this.search = new VictimSearch(accounts, policy, modes);
        this.vetoes = new ReclaimVetoes(view, policy, now);
        this.idle = view.assumed().idleCores();
        this.capacity = freeCapacity(view);
        this.eligibility = JobEligibility.of(view.observed());
    }

    /** Free resources by node, without those of jobs that only a pending command assumes to run. */
    private static FreeNodeCapacity freeCapacity(final QuotaView view) {
        final FreeNodeCapacity capacity = FreeNodeCapacity.of(view.observed());
        for (final JobKey key : view.assumed().commanded()) {
            final JobObserved job = view.assumed().job(key);
            final JobObserved seen = view.observed().job(key);
            if (job != null
                    && job.state() instanceof JobState.Running
                    && seen != null
                    && seen.state().isWaiting()) {
                final PlacementRequest demand = demand(view, job);
                for (int task = 0; task < view.assumed().tasksStarting(key); task++) {
                    occupy(capacity, demand);
                }
            }
        }
        return capacity;
    }

    /** Takes resources where the job may run; if none are free there, anywhere. */
    private static void occupy(final FreeNodeCapacity capacity, final PlacementRequest demand) {
        capacity.take(capacity.fits(demand) ? demand : PlacementRequest.of(demand.resources()));
    }

    /** A partition that the cluster does not report does not restrict the nodes. */
    private static PlacementRequest demand(final QuotaView view, final JobObserved job) {
        return new PlacementRequest(
                job.resources(),
                job.detail().placement(),
                view.observed().partition(job.partition()) == null ? null : job.partition());
    }

    public void consider(final Predicate<JobKey> mayReclaim) {
        accounts.waiting().stream()
                .filter(AccountJob::isStartable)
                .filter(queued -> queued.entitlement().level() != EntitlementLevel.HELD)
                .filter(queued -> mayReclaim.test(queued.job().job()))
                .sorted(Comparator.comparingLong(queued -> -queued.entitlement().priority()))
                .toList()
                .forEach(this::consider);
    }

    /** other partitions in which the job can start. */
    private List<PartitionName> others(final JobObserved job, final PlannedEntitlement right) {
        final RevisionClosed marker = view.assumed().marker();
        if (marker.control() != Control.DIRECTED || !marker.capabilities().contains(Capability.MOVE)) {
            return List.of();
        }
        return Stream.concat(job.choice().stream(), right.otherPartitions().stream())
                .filter(partition -> !partition.equals(job.partition()))
                .filter(partition -> refused(job, partition).isEmpty())
                .distinct()
                .toList();
    }

    /** why the job could not start in a partition now even if all its nodes were idle. */
    private Optional<Veto> refused(final JobObserved job, final PartitionName in) {
        final JobEligibility.Request there = JobEligibility.Request.of(job).in(in);
        return eligibility
                .veto(there)
                .or(() -> eligibility.notNow(there, view.assumed().marker().observedAt()));
    }

    private void consider(final AccountJob queued) {
        final JobObserved job = queued.job();
        final QuotaAccount account = queued.account();
        if (!account.admits(job.resources(), quota -> 0)) {
            return;
        }
        final PlannedEntitlement right = queued.entitlement();
        final List<PartitionName> others = others(job, right);
        final int needed = job.resources().cores();
        final Optional<Veto> refused = refused(job, job.partition());
        final PlacementRequest own = demand(view, job);
        final int covered = covered(right);
        int starting = 0;
        for (PlacementRequest fitting = fitting(own, refused.isEmpty(), others);
                fitting != null && starting < covered && account.admits(job.resources(), quota -> 0);
                fitting = fitting(own, refused.isEmpty(), others)) {
            willStart(job, fitting);
            starting++;
        }
        if (starting > 0) {
            return;
        }
        if (refused.isPresent()) {
            vetoes.veto(job, refused.get());
            return;
        }
        measure();
        final int freeable = search.freeable(job.owner());
        if (vetoes.forbid(job, idle, freeable, commands.size())) {
            return;
        }
        final int together = together(job, covered, freeable);
        final List<Victim> victims = victims(job, together);
        if (!victims.isEmpty()) {
            reclaim(job, right.tasks(), together, victims);
        } else if (policy.rules().minimal()) {
            vetoes.veto(job, noNodes(own));
        } else {
            vetoes.veto(job, ReclaimVetoes.cannotSuffice(needed, idle, freeable));
        }
    }

    /** How many of its tasks one decision may start. */
    private static int covered(final PlannedEntitlement right) {
        return right.tasks() == null ? 1 : ArrayIndices.count(right.tasks());
    }

    /**
     * For how many of these tasks victims are found; 1 if there are victims for none. One in mode {@code paper}, and where a start fills nodes,
     * because tasks that fit as one job need not fit one by one.
     */
    private int together(final JobObserved job, final int covered, final int freeable) {
        final int cores = Math.max(1, job.resources().cores());
        return policy.rules().minimal() && !capacity.nodes().areFilled()
                ? TaskCover.most(
                        Math.min(covered, (idle + freeable) / cores),
                        tasks -> accounts.of(job).admits(job.resources().times(tasks), quota -> 0)
                                && !victims(job, tasks).isEmpty())
                : 1;
    }

    private List<Victim> victims(final JobObserved job, final int tasks) {
        return search.find(job.owner(), demand(view, job.times(tasks)), idle, capacity);
    }

    /** */
    private void willStart(final JobObserved job, final PlacementRequest there) {
        idle -= job.resources().cores();
        grant(job, there);
    }

    /** The request in the job's own partition, else in another one open to it, if it fits now; null if none fits. */
    private @Nullable PlacementRequest fitting(
            final PlacementRequest own, final boolean mayStay, final List<PartitionName> others) {
        if (!policy.rules().isSufficient(idle, own.resources().cores())) {
            return null;
        }
        return Stream.concat(
                        Stream.of(own).filter(stays -> mayStay),
                        others.stream()
                                .map(partition -> new PlacementRequest(own.resources(), own.placement(), partition)))
                .filter(this::fits)
                .findFirst()
                .orElse(null);
    }

    private boolean fits(final PlacementRequest demand) {
        if (doesNotFit.contains(demand)) {
            return false;
        }
        final boolean fits = capacity.fits(demand);
        if (!fits) {
            doesNotFit.add(demand);
        }
        return fits;
    }

    private void reclaim(
            final JobObserved job, final @Nullable String covered, final int tasks, final List<Victim> victims) {
        final JobObserved together = job.times(tasks);
        commands.add(ReclaimCommand.of(
                together,
                covered == null ? null : ArrayIndices.first(covered, tasks),
                victims,
                reserve(together, victims),
                idle,
                view,
                accounts,
                policy,
                now));
        int freed = 0;
        for (final Victim victim : victims) {
            freed += victim.cores();
            accounts.of(victim.job()).remove(victim.job());
            search.preempted(victim.job());
            capacity.give(capacity.leastShares(victim.vacated(), victim.job().nodes()));
        }
        doesNotFit.clear();
        idle = policy.rules().idleAfter(idle, freed, together.resources().cores());
        for (int task = 0; task < tasks; task++) {
            grant(job, demand(view, job));
        }
    }

    /** empty if the victims free enough cores. */
    private List<ReserveVictim> reserve(final JobObserved job, final List<Victim> victims) {
        final int freed = victims.stream().mapToInt(Victim::cores).sum();
        if (freed >= job.resources().cores()) {
            return List.of();
        }
        if (reserve == null) {
            reserve = new ReserveCandidates(accounts, policy, view.assumed().idleCores(), now);
        }
        return reserve.forBeneficiary(job);
    }

    private void grant(final JobObserved job, final PlacementRequest there) {
        occupy(capacity, there);
        accounts.started(job, now);
        search.accountChanged(accounts.of(job));
        claimed = accounts.areCoupled();
    }

    /** Recomputes the quotas only before a search for victims. */
    private void measure() {
        if (claimed) {
            accounts.refresh();
            search.allAccountsChanged();
            claimed = false;
        }
    }

    /** The victims for a job that is not yet on this cluster; empty if it fits, is beyond quota, or there are none. */
    List<Victim> victimsFor(final JobObserved job) {
        final PlacementRequest demand = demand(view, job);
        if (!accounts.of(job).admits(job.resources(), quota -> 0) || fitting(demand, true, List.of()) != null) {
            return List.of();
        }
        measure();
        return new ReclaimVetoes(view, policy, now).forbid(job, idle, search.freeable(job.owner()), commands.size())
                ? List.of()
                : search.find(job.owner(), demand, idle, capacity);
    }

    String quotaText(final JobObserved job) {
        return accounts.of(job).quotaText();
    }

    private Veto noNodes(final PlacementRequest own) {
        final int nodes = own.resources().nodes();
        final String request = nodes == 0
                ? own.resources().cores() + " cores"
                : nodes + " node(s) with " + capacity.coresPerNode(own.resources()) + " cores each";
        final String where = EligibleNodes.of(own, capacity).includeAll()
                ? ""
                : " in its partition with the requested features and nodes";
        final String never = capacity.never(own);
        return VetoCode.NO_SUITABLE_NODES.veto(
                never != null
                        ? never
                        : "there are enough cores, but no set of borrowed jobs frees " + request + where
                                + ", so no job is preempted");
    }

    public List<Command> commands() {
        return commands;
    }

    public Map<JobKey, Veto> vetoes() {
        return vetoes.all();
    }

    public Optional<Instant> wakeAt() {
        return vetoes.wakeAt();
    }

    /** Idle cores that are not reserved. */
    public int remainingIdleCores() {
        return idle;
    }

    /** The same by node. */
    public FreeNodeCapacity remainingNodes() {
        return capacity;
    }
}
