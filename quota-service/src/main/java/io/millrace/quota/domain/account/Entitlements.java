package io.millrace.quota.domain.account;

import io.millrace.model.JobKey;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.quota.domain.budget.BudgetCheck;
import io.millrace.quota.domain.budget.BudgetCheck.Shortfall;
import io.millrace.quota.domain.preemption.AllocatedJob;
import io.millrace.quota.domain.priority.JobPriorities;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The entitlement of every job. The text of a reason before the first bracket stays the same as long as the level does; the figures in
 * the bracket are those at the time of the decision.
 */
public final class Entitlements {

    /** guaranteed jobs start before borrowed jobs; within a level, submission decides. */
    static final long GUARANTEED_PRIORITY = 1_000_000;

    static final long BORROWED_PRIORITY = 0;

    private Entitlements() {}

    /** The entitlements of the jobs that occupy cores. */
    public static List<PlannedEntitlement> ofRunning(final QuotaAccounts accounts, final TaskCover cover) {
        final RunningEntitlements entitlements = new RunningEntitlements(cover);
        accounts.all().forEach(account -> entitleRunning(account, entitlements));
        return entitlements.decided;
    }

    /** The array of which several tasks are assumed to start is listed once for each, and has one entitlement. */
    private static final class RunningEntitlements {

        private final TaskCover cover;
        private final List<PlannedEntitlement> decided = new ArrayList<>();
        private final Map<JobKey, Integer> starting = new HashMap<>();

        private RunningEntitlements(final TaskCover cover) {
            this.cover = cover;
        }

        private void add(final PlannedEntitlement entitlement) {
            if (!cover.isCommanded(entitlement.job())) {
                decided.add(entitlement);
                return;
            }
            final PlannedEntitlement named = cover.nameStarting(entitlement);
            final Integer before = starting.putIfAbsent(entitlement.job(), decided.size());
            if (before == null) {
                decided.add(named);
            } else {
                decided.set(before, named);
            }
        }
    }

    private static void entitleRunning(final QuotaAccount account, final RunningEntitlements entitlements) {
        final Set<AllocatedJob> borrowed = account.borrowedJobs();
        for (final AllocatedJob allocated : account.jobs()) {
            final Supplier<String> figures = figures(allocated.cores(), account.used(), "in use in total", account);
            if (account.isBeyondGpus(allocated)) {
                entitlements.add(beyondGpus(allocated.job(), account.gpuQuotaText(), allocated.resources()));
            } else if (borrowed.contains(allocated)) {
                entitlements.add(borrowed(allocated.job(), account, allocated.cores(), figures));
            } else {
                entitlements.add(guaranteed(allocated.job(), account, figures));
            }
        }
    }

    /**
     * Entitles the waiting jobs in queue order. Only jobs that are not held count for the next. The next tasks of an array are entitled
     * together: as many as get the entitlement that the first of them gets.
     *
     * @param locks why no job of a user starts
     * @param idle idle cores of the cluster
     * @param cover how many tasks of an array may be entitled together
     */
    public static void entitleWaiting(
            final QuotaAccounts accounts,
            final ProcessorHourCheck hours,
            final BudgetCheck budgetCheck,
            final Function<UserName, Optional<Veto>> locks,
            final int idle,
            final TaskCover cover) {
        final QuotaAllocation allocation =
                new QuotaAllocation(new BorrowingLimits(accounts, accounts.lendingLimits(), idle));
        for (final AccountJob queued : accounts.waiting()) {
            queued.entitle(nameClaim(
                    queued.job(),
                    locks.apply(queued.job().owner())
                            .map(lock -> PlannedEntitlement.held(queued.key(), lock))
                            .orElseGet(() -> ofWaiting(queued, hours, budgetCheck, allocation, cover))));
        }
    }

    private static PlannedEntitlement ofWaiting(
            final AccountJob queued,
            final ProcessorHourCheck hours,
            final BudgetCheck budgetCheck,
            final QuotaAllocation allocation,
            final TaskCover cover) {
        final JobObserved job = queued.job();
        final Optional<String> held = queued.isSuspended() ? Optional.empty() : hours.holdReason(job);
        if (held.isPresent()) {
            return PlannedEntitlement.held(job.job(), held.get());
        }
        final Optional<Shortfall> shortfall = queued.isSuspended() ? Optional.empty() : budgetCheck.shortfall(job);
        final int tasks = cover.most(
                job,
                together -> hours.admits(together)
                        && (shortfall.isPresent() || budgetCheck.covers(together))
                        && allocation.treatsAlike(queued, together));
        final PlannedEntitlement entitlement = shortfall
                .map(why -> withoutBudget(queued, tasks, why, allocation))
                .orElseGet(() -> allocation.byQuota(queued, tasks));
        if (entitlement.level() == EntitlementLevel.HELD) {
            return entitlement;
        }
        if (!queued.isSuspended()) {
            hours.admit(job.times(tasks));
            if (shortfall.isEmpty()) {
                budgetCheck.admit(job.times(tasks));
            }
        }
        return cover.of(job, tasks, entitlement);
    }

    /** S-5: why a waiting job does not have the quota of the project that it names. */
    private static PlannedEntitlement nameClaim(final JobObserved job, final PlannedEntitlement decided) {
        final ProjectName claimed = job.detail().claimedProject();
        return claimed == null
                ? decided
                : decided.because("; it does not charge project '" + claimed + "', because user '" + job.owner()
                        + "' is not known as a member on the cluster");
    }

    /** the entitlement of a job that does not fit within a budget. */
    private static PlannedEntitlement withoutBudget(
            final AccountJob queued, final int tasks, final Shortfall shortfall, final QuotaAllocation allocation) {
        final JobKey job = queued.key();
        return switch (shortfall.effect()) {
            case HOLD -> PlannedEntitlement.held(job, shortfall.reason());
            case BORROW ->
                allocation
                        .refusal(queued, tasks)
                        .map(why -> PlannedEntitlement.held(job, why))
                        .orElseGet(() -> new PlannedEntitlement(
                                job, EntitlementLevel.BORROWED, BORROWED_PRIORITY, Reason.of(shortfall.reason())));
            case LAST -> {
                final PlannedEntitlement right = allocation.byQuota(queued, tasks);
                yield right.level() == EntitlementLevel.HELD
                        ? right
                        : new PlannedEntitlement(job, right.level(), JobPriorities.LAST, Reason.of(shortfall.reason()));
            }
        };
    }

    static PlannedEntitlement guaranteed(final JobKey job, final QuotaAccount account, final Supplier<String> figures) {
        return new PlannedEntitlement(
                job,
                EntitlementLevel.GUARANTEED,
                GUARANTEED_PRIORITY,
                new Reason("within quota ", account.quotaWords(), figures));
    }

    static PlannedEntitlement borrowed(
            final JobKey job, final QuotaAccount account, final int cores, final Supplier<String> figures) {
        final Reason why = account.hasZeroQuota()
                ? new Reason("no quota on this cluster: all cores are borrowed ", "", figures)
                : new Reason(
                        account.isWide(cores) ? "wider than quota " : "beyond quota ", account.quotaWords(), figures);
        return new PlannedEntitlement(job, EntitlementLevel.BORROWED, BORROWED_PRIORITY, why);
    }

    /** */
    static PlannedEntitlement beyondGpus(final JobKey job, final String quota, final Resources wanted) {
        return new PlannedEntitlement(
                job,
                EntitlementLevel.BORROWED,
                BORROWED_PRIORITY,
                Reason.of("beyond GPU quota " + quota + " (" + wanted.gpus() + " GPUs)"));
    }

    /** For a shared quota, also the part that is left for this user. */
    static Supplier<String> figures(final int cores, final int others, final String what, final QuotaAccount account) {
        final int left = account.isUnshared() ? -1 : account.quota();
        return () -> "(" + cores + " cores; " + others + " " + what
                + (left < 0 ? "" : "; " + left + " of the quota left for this user") + ")";
    }
}
