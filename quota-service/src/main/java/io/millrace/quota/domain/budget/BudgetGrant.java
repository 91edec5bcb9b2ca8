package io.millrace.quota.domain.budget;

import io.millrace.model.Resources;
import io.millrace.model.quota.ProcessorTime;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The amount that a budget gives in each period.
 *
 * @param core_s core-seconds per period; null: no limit
 * @param gpu_s GPU-seconds per period; null: no limit
 * @param refill when the amount is available
 * @param carryOver_percent percentage of the amount that passes to the next period if it was not spent
 * @param exhausted effect on waiting jobs that do not fit
 * @param cancelsRunning whether running jobs are cancelled once the budget is spent
 */
public record BudgetGrant(
        PeriodKind per,
        @Nullable Long core_s,
        @Nullable Long gpu_s,
        Refill refill,
        int carryOver_percent,
        Exhausted exhausted,
        boolean cancelsRunning) {

    /** When the amount is available. */
    public enum Refill {
        /** Entirely from the start of the period. */
        AT_START,
        /** An equal part each day. */
        DAILY
    }

    /** The effect on a waiting job that does not fit. Running jobs are not affected. */
    public enum Exhausted {
        /** The job is held until it fits. */
        HOLD,
        /** The job runs on borrowed cores only. */
        BORROW,
        /** The job keeps its level and has the lowest priority. */
        LAST
    }

    public BudgetGrant {
        if (core_s == null && gpu_s == null) {
            throw new IllegalArgumentException("a budget needs 'core-hours', 'gpu-hours' or both: add one");
        }
        if (core_s != null && core_s < 0 || gpu_s != null && gpu_s < 0) {
            throw new IllegalArgumentException("a budget cannot be negative");
        }
        if (carryOver_percent < 0 || carryOver_percent > 100) {
            throw new IllegalArgumentException("carry-over is between 0 and 100 percent, got " + carryOver_percent);
        }
    }

    /**
     * The amount that may be spent by now: the part available in this period and what was carried over. Q-47: only what the last period
     * itself gave and did not spend is carried over, so nothing is carried twice.
     *
     * @param limit core-seconds or GPU-seconds per period
     * @param spentBefore what was spent in the previous period
     */
    long available_s(
            final long limit, final long spentBefore, final BudgetPeriod period, final Instant now, final ZoneId zone) {
        final long refilled = switch (refill) {
            case AT_START -> limit;
            case DAILY -> part(limit, period.daysStarted(now, zone), period.days());
        };
        final long unspent = Math.max(0, limit - Math.max(0, spentBefore));
        return Math.addExact(refilled, Math.min(unspent, part(limit, carryOver_percent, 100)));
    }

    /** Whether the amount is within the limits. */
    boolean covers(final ProcessorTime available, final ProcessorTime wanted) {
        return (core_s == null || wanted.coreSeconds() <= available.coreSeconds())
                && (gpu_s == null || wanted.gpuSeconds() <= available.gpuSeconds());
    }

    /** Whether nothing is left of a resource that the job uses. */
    boolean isSpent(final ProcessorTime available, final ProcessorTime spent, final Resources occupied) {
        return core_s != null && spent.coreSeconds() >= available.coreSeconds()
                || gpu_s != null && occupied.gpus() > 0 && spent.gpuSeconds() >= available.gpuSeconds();
    }

    /** What is left of the scarcer resource, in whole percent of the available amount. */
    int remaining_percent(final ProcessorTime available, final ProcessorTime taken) {
        return Math.min(
                core_s == null ? 100 : remaining_percent(available.coreSeconds(), taken.coreSeconds()),
                gpu_s == null ? 100 : remaining_percent(available.gpuSeconds(), taken.gpuSeconds()));
    }

    private static int remaining_percent(final long available, final long taken) {
        return available <= 0 ? 0 : (int) Math.clamp(100.0 * (available - taken) / available, 0, 100);
    }

    private static long part(final long whole, final int parts, final int of) {
        return whole / of * parts + whole % of * parts / of;
    }
}
