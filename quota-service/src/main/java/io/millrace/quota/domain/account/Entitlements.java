package io.millrace.quota.domain.account;

import io.millrace.model.JobKey;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.quota.domain.budget.BudgetCheck;
import io.millrace.quota.domain.budget.BudgetCheck.Shortfall;
import io.millrace.quota.domain.preemption.AllocatedJob;
import io.millrace.quota.domain.priority.JobPriorities;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The entitlement of every job. The text of a reason before the first bracket stays the same as long as the level does; the figures in
 * the bracket are those at the time of the decision.
 */
public final class Entitlements {

    /** guaranteed jobs start before borrowed jobs; within a level, submission decides. */
    static final long GUARANTEED_PRIORITY = 1_000_000;

    static final long BORROWED_PRIORITY = 0;

    private Entitlements() {}

    /**
     * @param locks why no job of a user starts
     * @param idle idle cores of the cluster
     * @param cover how many tasks of an array may be entitled together
     */
    public static Map<JobKey, Entitlement> of(
            final QuotaAccounts accounts,
            final ProcessorHourCheck hours,
            final BudgetCheck budgetCheck,
            final Function<UserName, Optional<Veto>> locks,
            final int idle,
            final TaskCover cover) {
        final Map<JobKey, Entitlement> entitlements = new LinkedHashMap<>();
        accounts.all().forEach(account -> entitleRunning(account, entitlements));
        cover.nameStarting(entitlements);
        entitleWaiting(
                accounts,
                hours,
                budgetCheck,
                locks,
                new BorrowingLimits(accounts, accounts.lendingLimits(), idle),
                cover,
                entitlements);
        accounts.waiting().forEach(job -> nameClaim(job, entitlements));
        return entitlements;
    }

    /** S-5: why a waiting job does not have the quota of the project that it names. */
    private static void nameClaim(final JobObserved job, final Map<JobKey, Entitlement> entitlements) {
        final ProjectName claimed = job.detail().claimedProject();
        if (claimed != null) {
            entitlements.computeIfPresent(
                    job.job(),
                    (key, decided) -> decided.because(decided.reason() + "; it does not charge project '" + claimed
                            + "', because user '" + job.owner() + "' is not known as a member on the cluster"));
        }
    }

    private static void entitleRunning(final QuotaAccount account, final Map<JobKey, Entitlement> entitlements) {
        final Set<AllocatedJob> borrowed = account.borrowedJobs();
        for (final AllocatedJob allocated : account.jobs()) {
            final String figures = figures(allocated.cores(), account.used(), "in use in total", account);
            if (account.isBeyondGpus(allocated)) {
                entitlements.put(
                        allocated.job(), beyondGpus(allocated.job(), account.gpuQuotaText(), allocated.resources()));
                continue;
            }
            final Entitlement entitlement = borrowed.contains(allocated)
                    ? borrowed(allocated.job(), account, allocated.cores(), figures)
                    : guaranteed(allocated.job(), account, figures);
            entitlements.put(allocated.job(), entitlement);
        }
    }

    /**
     * Waiting jobs in queue order. Only jobs that are not held count for the next. The next tasks of an array are entitled together: as many
     * as get the entitlement that the first of them gets.
     */
    private static void entitleWaiting(
            final QuotaAccounts accounts,
            final ProcessorHourCheck hours,
            final BudgetCheck budgetCheck,
            final Function<UserName, Optional<Veto>> locks,
            final BorrowingLimits borrowing,
            final TaskCover cover,
            final Map<JobKey, Entitlement> entitlements) {
        final QuotaAllocation allocation = new QuotaAllocation(accounts, borrowing);
        for (final JobObserved job : accounts.waiting()) {
            final Optional<Veto> lock = locks.apply(job.owner());
            if (lock.isPresent()) {
                entitlements.put(job.job(), Entitlement.held(job.job(), lock.get()));
                continue;
            }
            final boolean suspended = job.state() instanceof JobState.Suspended;
            final Optional<String> held = suspended ? Optional.empty() : hours.holdReason(job);
            if (held.isPresent()) {
                entitlements.put(job.job(), held(job.job(), held.get()));
                continue;
            }
            final Optional<Shortfall> shortfall = suspended ? Optional.empty() : budgetCheck.shortfall(job);
            final int tasks = cover.most(
                    job,
                    together -> hours.admits(together)
                            && (shortfall.isPresent() || budgetCheck.covers(together))
                            && allocation.treatsAlike(job, together));
            final Entitlement entitlement = shortfall
                    .map(why -> withoutBudget(job, tasks, why, allocation))
                    .orElseGet(() -> allocation.byQuota(job, tasks));
            if (entitlement.level() == EntitlementLevel.HELD) {
                entitlements.put(job.job(), entitlement);
                continue;
            }
            entitlements.put(job.job(), cover.of(job, tasks, entitlement));
            if (!suspended) {
                hours.admit(job.times(tasks));
                if (shortfall.isEmpty()) {
                    budgetCheck.admit(job.times(tasks));
                }
            }
        }
    }

    /** the entitlement of a job that does not fit within a budget. */
    private static Entitlement withoutBudget(
            final JobObserved job, final int tasks, final Shortfall shortfall, final QuotaAllocation allocation) {
        return switch (shortfall.effect()) {
            case HOLD -> held(job.job(), shortfall.reason());
            case BORROW ->
                allocation
                        .refusal(job.times(tasks))
                        .map(why -> held(job.job(), why))
                        .orElseGet(() -> new Entitlement(
                                job.job(), EntitlementLevel.BORROWED, BORROWED_PRIORITY, shortfall.reason()));
            case LAST -> {
                final Entitlement right = allocation.byQuota(job, tasks);
                yield right.level() == EntitlementLevel.HELD
                        ? right
                        : new Entitlement(job.job(), right.level(), JobPriorities.LAST, shortfall.reason());
            }
        };
    }

    static Entitlement held(final JobKey job, final String why) {
        return new Entitlement(job, EntitlementLevel.HELD, BORROWED_PRIORITY, why);
    }

    static Entitlement guaranteed(final JobKey job, final QuotaAccount account, final String figures) {
        return new Entitlement(
                job,
                EntitlementLevel.GUARANTEED,
                GUARANTEED_PRIORITY,
                "within quota " + account.quotaText() + " " + figures);
    }

    static Entitlement borrowed(final JobKey job, final QuotaAccount account, final int cores, final String figures) {
        if (account.hasZeroQuota()) {
            return new Entitlement(
                    job,
                    EntitlementLevel.BORROWED,
                    BORROWED_PRIORITY,
                    "no quota on this cluster: all cores are borrowed " + figures);
        }
        final String why = account.isWide(cores) ? "wider than quota " : "beyond quota ";
        return new Entitlement(
                job, EntitlementLevel.BORROWED, BORROWED_PRIORITY, why + account.quotaText() + " " + figures);
    }

    /** */
    static Entitlement beyondGpus(final JobKey job, final String quota, final Resources wanted) {
        return new Entitlement(
                job,
                EntitlementLevel.BORROWED,
                BORROWED_PRIORITY,
                "beyond GPU quota " + quota + " (" + wanted.gpus() + " GPUs)");
    }

    /** For a shared quota, also the part that is left for this user. */
    static String figures(final int cores, final int others, final String what, final QuotaAccount account) {
        final String left = account.isUnshared() ? "" : "; " + account.quota() + " of the quota left for this user";
        return "(" + cores + " cores; " + others + " " + what + left + ")";
    }

    /**
     * Whether two entitlements are the same except for the figures in brackets, which change whenever another job of the user starts,
     * and for the priority and other partitions of a job that no longer waits.
     */
    public static boolean isSame(final Entitlement one, final Entitlement other) {
        return one.level() == other.level()
                && Objects.equals(one.tasks(), other.tasks())
                && (other.terms() == null
                        || one.priority() == other.priority()
                                && other.terms().equals(one.terms())
                                && other.otherPartitions().equals(one.otherPartitions()))
                && lasting(one.reason()).equals(lasting(other.reason()));
    }

    private static String lasting(final String reason) {
        final int bracket = reason.indexOf('(');
        return bracket < 0 ? reason : reason.substring(0, bracket);
    }
}
