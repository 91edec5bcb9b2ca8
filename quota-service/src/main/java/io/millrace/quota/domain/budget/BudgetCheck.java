package io.millrace.quota.domain.budget;

import io.millrace.decide.ClusterView;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetGrant.Exhausted;
import io.millrace.model.quota.BudgetPeriod;
import io.millrace.model.quota.ProcessorTime;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.quota.domain.budget.BudgetRules.ApplicableBudget;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Checks waiting jobs against their budgets in queue order. Released jobs count as if they ran. */
public final class BudgetCheck {

    private static final double HOUR_S = 3600;

    private final Budgets budgets;
    private final BudgetReservations reservations;
    private final Instant now;
    private final Set<JobKey> onBorrowedCoresOnly = new HashSet<>();
    private final Map<ApplicableBudget, Integer> remaining_percent = new HashMap<>();
    private final Map<QuotaHolder, ProcessorTime> admit = new HashMap<>();

    /** @param classes of a job; empty if it has none or they are not yet known */
    public BudgetCheck(
            final Budgets budgets,
            final ClusterView view,
            final Function<JobKey, List<String>> classes,
            final Instant now) {
        this.budgets = budgets;
        this.reservations = new BudgetReservations(budgets.rules().tariff(), view, classes);
        this.now = now;
    }

    /**
     * A budget that does not cover a job.
     *
     * @param reason the text before the bracket stays the same as long as the shortfall; the figures in the bracket are current
     */
    public record Shortfall(Exhausted effect, String reason) {}

    /** the strictest of the budgets that do not cover the job; empty if all do. Called in queue order. */
    public Optional<Shortfall> shortfall(final JobObserved job) {
        final List<ApplicableBudget> drawn = budgets.rules().applicableTo(job.owner(), job.project());
        if (drawn.isEmpty()) {
            return Optional.empty();
        }
        final Optional<ProcessorTime> wanted = reservations.of(job);
        final Optional<Shortfall> strictest = drawn.stream()
                .flatMap(budget -> shortfall(budget, wanted).stream())
                .min(Comparator.comparing(Shortfall::effect));
        strictest
                .filter(shortfall -> shortfall.effect() == Exhausted.BORROW)
                .ifPresent(shortfall -> onBorrowedCoresOnly.add(job.job()));
        return strictest;
    }

    /** Whether the budgets cover the tasks of an array together. */
    public boolean covers(final JobObserved tasks) {
        final Optional<ProcessorTime> wanted = reservations.of(tasks);
        return budgets.rules().applicableTo(tasks.owner(), tasks.project()).stream()
                .allMatch(budget -> shortfall(budget, wanted).isEmpty());
    }

    /** Counts a released waiting job as if it ran. */
    public void admit(final JobObserved job) {
        if (!budgets.rules().isSome()) {
            return;
        }
        reservations
                .of(job)
                .ifPresent(time -> budgets.rules().applicableTo(job.owner(), job.project()).stream()
                        .map(ApplicableBudget::holder)
                        .distinct()
                        .forEach(subject -> admit.merge(subject, time, ProcessorTime::plus)));
    }

    /** Whether the budgets allow the job to preempt others. Called after {@link #shortfall}. */
    public boolean mayReclaim(final JobKey job) {
        return !onBorrowedCoresOnly.contains(job);
    }

    /**
     * what is left of the scarcest budget of this job, neither spent nor reserved, in percent of what the period gives by now; 0 for a
     * job without a budget.
     */
    public int remaining_percent(final JobObserved job) {
        if (!budgets.rules().isSome()) {
            return 0;
        }
        return budgets.rules().applicableTo(job.owner(), job.project()).stream()
                .mapToInt(budget -> remaining_percent.computeIfAbsent(budget, this::remaining_percent))
                .min()
                .orElse(0);
    }

    private int remaining_percent(final ApplicableBudget budget) {
        final BudgetPeriod period =
                BudgetPeriod.of(budget.grant().per(), now, budgets.rules().zone());
        return budget.grant().remaining_percent(available(budget, period), taken(budget.holder(), period));
    }

    private ProcessorTime taken(final QuotaHolder subject, final BudgetPeriod period) {
        return budgets.usage().spent(subject, period).plus(budgets.usage().reserved(subject));
    }

    /** why this running job must be cancelled; empty if it may continue. */
    public Optional<String> cancelReason(final JobObserved job) {
        return budgets.rules().applicableTo(job.owner(), job.project()).stream()
                .filter(budget -> budget.grant().cancelsRunning())
                .flatMap(budget -> spent(budget, job).stream())
                .findFirst();
    }

    private Optional<String> spent(final ApplicableBudget budget, final JobObserved job) {
        final BudgetPeriod period =
                BudgetPeriod.of(budget.grant().per(), now, budgets.rules().zone());
        final ProcessorTime spent = budgets.usage().spent(budget.holder(), period);
        final ProcessorTime available = available(budget, period);
        return budget.grant().isSpent(available, spent, job.resources())
                ? Optional.of("budget of " + budget.holder().named() + " for " + period
                        + " is spent, and its running jobs are cancelled (" + hours(spent.coreSeconds())
                        + " core-hours, " + hours(spent.gpuSeconds()) + " gpu-hours)")
                : Optional.empty();
    }

    private Optional<Shortfall> shortfall(final ApplicableBudget budget, final Optional<ProcessorTime> wanted) {
        final BudgetGrant grant = budget.grant();
        final BudgetPeriod period =
                BudgetPeriod.of(grant.per(), now, budgets.rules().zone());
        final String name = "budget of " + budget.holder().named() + " for " + period;
        if (wanted.isEmpty()) {
            return Optional.of(new Shortfall(
                    grant.exhausted(),
                    name + ": the job has no walltime limit and fits within no budget; request a walltime"));
        }
        final ProcessorTime available = available(budget, period);
        final ProcessorTime taken =
                taken(budget.holder(), period).plus(admit.getOrDefault(budget.holder(), ProcessorTime.NONE));
        if (grant.covers(available, taken.plus(wanted.get()))) {
            return Optional.empty();
        }
        return Optional.of(new Shortfall(grant.exhausted(), name + why(grant, available, taken, wanted.get())));
    }

    private ProcessorTime available(final ApplicableBudget budget, final BudgetPeriod period) {
        final ProcessorTime before = budgets.usage().spent(budget.holder(), period.previous());
        return budget.grant().available(before, period, now, budgets.rules().zone());
    }

    private static String why(
            final BudgetGrant grant,
            final ProcessorTime available,
            final ProcessorTime taken,
            final ProcessorTime wanted) {
        final boolean cores =
                grant.coreSeconds() != null && taken.coreSeconds() + wanted.coreSeconds() > available.coreSeconds();
        return cores
                ? why(available.coreSeconds(), taken.coreSeconds(), wanted.coreSeconds(), "core-hours")
                : why(available.gpuSeconds(), taken.gpuSeconds(), wanted.gpuSeconds(), "gpu-hours");
    }

    private static String why(final long available_s, final long taken_s, final long wanted_s, final String unit) {
        return (taken_s >= available_s ? " is used up (" : " leaves too little (")
                + hours(taken_s) + " of " + hours(available_s) + " " + unit + " spent or reserved; the job requests "
                + hours(wanted_s) + ")";
    }

    private static String hours(final long seconds) {
        return String.format(Locale.ROOT, "%.1f", seconds / HOUR_S);
    }
}
