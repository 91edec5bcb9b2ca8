package io.millrace.quota.domain.plan;

import io.millrace.model.UserName;
import io.millrace.model.command.Command;
import io.millrace.model.quota.Usage;
import io.millrace.quota.domain.account.ClusterUsage;
import io.millrace.quota.domain.account.Entitlements;
import io.millrace.quota.domain.account.PlannedEntitlement;
import io.millrace.quota.domain.account.ProcessorHourCheck;
import io.millrace.quota.domain.account.QuotaAccounts;
import io.millrace.quota.domain.account.TaskCover;
import io.millrace.quota.domain.budget.BudgetCheck;
import io.millrace.quota.domain.preemption.PreemptModes;
import io.millrace.quota.domain.priority.DecayedUsage;
import io.millrace.quota.domain.priority.JobPriorities;
import io.millrace.quota.domain.priority.OverflowPartitions;
import io.millrace.quota.domain.reclaim.PlacementOffers;
import io.millrace.quota.domain.reclaim.ReclaimPlanner;
import io.millrace.quota.domain.reclaim.ResumePlanner;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.domain.view.QuotaView;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Plans the entitlements, priorities and reclaims of one cluster. Pure: the same view, policy and instant give the same plan. */
public final class QuotaPlanner {

    private QuotaPlanner() {}

    public static QuotaPlan plan(final QuotaView view, final QuotaPolicy policy, final Instant now) {
        final PreemptModes modes =
                new PreemptModes(policy.modes(), view.assumed().marker().capabilities(), now);
        final ProcessorHourCheck hours =
                new ProcessorHourCheck(view, policy.hours(), view.requestedElsewhere_core_s(), now);
        final QuotaAccounts accounts = QuotaAccounts.of(view, hours, policy.preemptionLimits(), modes, now);
        final BudgetCheck budgetCheck =
                new BudgetCheck(view.budgets(), view.observed(), view.priority().classes(), now);
        final TaskCover cover = TaskCover.of(view);
        final List<PlannedEntitlement> entitlements = Entitlements.ofRunning(accounts, cover);
        Entitlements.entitleWaiting(
                accounts, hours, budgetCheck, view::lockOf, view.assumed().idleCores(), cover);
        final DecayedUsage used = new DecayedUsage(view.priority().rules().halfLife(), now);
        final OverflowPartitions reachable =
                new OverflowPartitions(view.priority().rules(), view.observed());
        new JobPriorities(view.priority(), budgetCheck::remaining_percent, reachable, used, view.totalCores(), now)
                .assign(accounts.waiting());
        accounts.waiting().forEach(queued -> entitlements.add(queued.entitlement()));
        final Map<UserName, Usage> usage = ClusterUsage.of(view, accounts, hours, used);
        final ReclaimPlanner reclaims = new ReclaimPlanner(view, accounts, policy, modes, now);
        reclaims.consider(budgetCheck::mayReclaim);
        final List<Command> resumptions = new ResumePlanner(
                        view, policy, reclaims.remainingIdleCores(), reclaims.remainingNodes(), now)
                .commands();
        final Optional<Instant> lookAgain = Stream.concat(
                        reclaims.wakeAt().stream(), view.quotas().nextChange(now).stream())
                .min(Comparator.naturalOrder());
        return new QuotaPlan(
                entitlements,
                usage,
                reclaims.commands(),
                resumptions,
                reclaims.vetoes(),
                new PlacementOffers(view, reclaims).forAll(view.unplaced()),
                lookAgain);
    }
}
