package io.millrace.model.quota;

import io.millrace.model.Resources;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The amount that a budget gives in each period.
 *
 * @param coreSeconds core-seconds per period; null: no limit
 * @param gpuSeconds GPU-seconds per period; null: no limit
 * @param refill when the amount is available
 * @param carryOverPercent percentage of the amount that passes to the next period if it was not spent
 * @param exhausted effect on waiting jobs that do not fit
 * @param cancelsRunning whether running jobs are cancelled once the budget is spent
 */
public record BudgetGrant(
        PeriodKind per,
        @Nullable Long coreSeconds,
        @Nullable Long gpuSeconds,
        Refill refill,
        int carryOverPercent,
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
        if (coreSeconds == null && gpuSeconds == null) {
            throw new IllegalArgumentException("a budget needs 'core-hours', 'gpu-hours' or both: add one");
        }
        if (coreSeconds != null && coreSeconds < 0 || gpuSeconds != null && gpuSeconds < 0) {
            throw new IllegalArgumentException("a budget cannot be negative");
        }
        if (carryOverPercent < 0 || carryOverPercent > 100) {
            throw new IllegalArgumentException("carry-over is between 0 and 100 percent, got " + carryOverPercent);
        }
    }

    /**
     * The amount that may be spent by now: the part available in this period and what was carried over. Q-47: only what the last period
     * itself gave and did not spend is carried over, so nothing is carried twice.
     *
     * @param limit core-seconds or GPU-seconds per period
     * @param spentBefore what was spent in the previous period
     */
    private long available_s(
            final long limit, final long spentBefore, final BudgetPeriod period, final Instant now, final ZoneId zone) {
        final long refilled = switch (refill) {
            case AT_START -> limit;
            case DAILY -> part(limit, period.daysStarted(now, zone), period.days());
        };
        final long unspent = Math.max(0, limit - Math.max(0, spentBefore));
        return Math.addExact(refilled, Math.min(unspent, part(limit, carryOverPercent, 100)));
    }

    /**
     * What may be spent by now in a period; without bounds for a resource that it does not limit.
     *
     * @param before what was spent in the previous period
     */
    public ProcessorTime available(
            final ProcessorTime before, final BudgetPeriod period, final Instant now, final ZoneId zone) {
        return new ProcessorTime(
                coreSeconds == null
                        ? Long.MAX_VALUE
                        : available_s(coreSeconds, before.coreSeconds(), period, now, zone),
                gpuSeconds == null ? Long.MAX_VALUE : available_s(gpuSeconds, before.gpuSeconds(), period, now, zone));
    }

    /** Whether the amount is within the limits. */
    public boolean covers(final ProcessorTime available, final ProcessorTime wanted) {
        return (coreSeconds == null || wanted.coreSeconds() <= available.coreSeconds())
                && (gpuSeconds == null || wanted.gpuSeconds() <= available.gpuSeconds());
    }

    /** Whether nothing is left of a resource that the job uses. */
    public boolean isSpent(final ProcessorTime available, final ProcessorTime spent, final Resources occupied) {
        return coreSeconds != null && spent.coreSeconds() >= available.coreSeconds()
                || gpuSeconds != null && occupied.gpus() > 0 && spent.gpuSeconds() >= available.gpuSeconds();
    }

    /** What is left of the scarcer resource, in whole percent of the available amount. */
    public int remaining_percent(final ProcessorTime available, final ProcessorTime taken) {
        return Math.min(
                coreSeconds == null ? 100 : remaining_percent(available.coreSeconds(), taken.coreSeconds()),
                gpuSeconds == null ? 100 : remaining_percent(available.gpuSeconds(), taken.gpuSeconds()));
    }

    private static int remaining_percent(final long available, final long taken) {
        return available <= 0 ? 0 : (int) Math.clamp(100.0 * (available - taken) / available, 0, 100);
    }

    private static long part(final long whole, final int parts, final int of) {
        return whole / of * parts + whole % of * parts / of;
    }
}
