package io.millrace.quota.domain.account;

import io.millrace.model.JobKey;
import io.millrace.model.Resources;
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
import java.util.Optional;
import java.util.Set;

/**
 * The entitlement of every job. The text of a reason before the first bracket stays the same as long as the level does; the figures in
 * the bracket are those at the time of the decision.
 */
public final class Entitlements {

    /** guaranteed jobs start before borrowed jobs; within a level, submission decides. */
    static final long GUARANTEED_PRIORITY = 1_000_000;

    static final long BORROWED_PRIORITY = 0;

    private Entitlements() {}

    /** @param idle idle cores of the cluster */
    public static Map<JobKey, Entitlement> of(
            final QuotaAccounts accounts, final ProcessorHourCheck hours, final BudgetCheck allowance, final int idle) {
        final Map<JobKey, Entitlement> entitlements = new LinkedHashMap<>();
        accounts.all().forEach(account -> entitleRunning(account, entitlements));
        entitleWaiting(
                accounts,
                hours,
                allowance,
                new BorrowingLimits(accounts, accounts.lendingLimits(), idle),
                entitlements);
        return entitlements;
    }

    private static void entitleRunning(final QuotaAccount account, final Map<JobKey, Entitlement> entitlements) {
        final Set<AllocatedJob> borrowed = account.borrowedJobs();
        for (final AllocatedJob occupant : account.jobs()) {
            final String figures = figures(occupant.cores(), account.used(), "in use in total", account);
            if (account.isBeyondGpus(occupant)) {
                entitlements.put(
                        occupant.job(), beyondGpus(occupant.job(), account.gpuQuotaText(), occupant.resources()));
                continue;
            }
            final Entitlement entitlement = borrowed.contains(occupant)
                    ? borrowed(occupant.job(), account, occupant.cores(), figures)
                    : guaranteed(occupant.job(), account, figures);
            entitlements.put(occupant.job(), entitlement);
        }
    }

    /** Waiting jobs in queue order. Only jobs that are not held count for the next. */
    private static void entitleWaiting(
            final QuotaAccounts accounts,
            final ProcessorHourCheck hours,
            final BudgetCheck allowance,
            final BorrowingLimits loans,
            final Map<JobKey, Entitlement> entitlements) {
        final QuotaAllocation promises = new QuotaAllocation(accounts, loans);
        for (final JobObserved job : accounts.waiting()) {
            final boolean begun = job.state() instanceof JobState.Suspended;
            final Optional<String> held = begun ? Optional.empty() : hours.holdReason(job);
            if (held.isPresent()) {
                entitlements.put(job.job(), held(job.job(), held.get()));
                continue;
            }
            final Optional<Shortfall> shortfall = begun ? Optional.empty() : allowance.shortfall(job);
            final Entitlement entitlement =
                    shortfall.map(why -> withoutBudget(job, why, promises)).orElseGet(() -> promises.byQuota(job));
            entitlements.put(job.job(), entitlement);
            if (!begun && entitlement.level() != EntitlementLevel.HELD) {
                hours.admit(job);
                if (shortfall.isEmpty()) {
                    allowance.admit(job);
                }
            }
        }
    }

    /** the entitlement of a job that does not fit within a budget. */
    private static Entitlement withoutBudget(
            final JobObserved job, final Shortfall shortfall, final QuotaAllocation promises) {
        return switch (shortfall.effect()) {
            case HOLD -> held(job.job(), shortfall.reason());
            case BORROW ->
                promises.refusal(job)
                        .map(why -> held(job.job(), why))
                        .orElseGet(() -> new Entitlement(
                                job.job(), EntitlementLevel.BORROWED, BORROWED_PRIORITY, shortfall.reason()));
            case LAST -> {
                final Entitlement right = promises.byQuota(job);
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
     * and for the priority and reach of a job that no longer waits.
     */
    public static boolean isSame(final Entitlement one, final Entitlement other) {
        return one.level() == other.level()
                && (other.terms() == null
                        || one.priority() == other.priority()
                                && other.terms().equals(one.terms())
                                && other.reach().equals(one.reach()))
                && lasting(one.reason()).equals(lasting(other.reason()));
    }

    private static String lasting(final String reason) {
        final int bracket = reason.indexOf('(');
        return bracket < 0 ? reason : reason.substring(0, bracket);
    }
}
