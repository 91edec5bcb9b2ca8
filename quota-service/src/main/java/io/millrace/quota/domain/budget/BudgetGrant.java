package io.millrace.quota.domain.budget;

import io.millrace.model.Resources;
import io.millrace.model.policy.ProcessorTime;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * What a budget gives in each period.
 *
 * @param core_s core-seconds of a period; null: not limited
 * @param gpu_s GPU-seconds of a period; null: not limited
 * @param refill when it can be used
 * @param carryOver_percent how much of a period's grant may pass to the next one if it was not spent
 * @param exhausted what becomes of waiting jobs that do not fit
 * @param cancelsRunning whether running jobs that draw on it end once it is spent
 */
public record BudgetGrant(
        PeriodKind per,
        @Nullable Long core_s,
        @Nullable Long gpu_s,
        Refill refill,
        int carryOver_percent,
        Exhausted exhausted,
        boolean cancelsRunning) {

    /** One that leaves running jobs alone. */
    public BudgetGrant(
            final PeriodKind per,
            final @Nullable Long core_s,
            final @Nullable Long gpu_s,
            final Refill refill,
            final int carryOver_percent,
            final Exhausted exhausted) {
        this(per, core_s, gpu_s, refill, carryOver_percent, exhausted, false);
    }

    /** When a grant can be used. */
    public enum Refill {
        /** All of it from the start of the period. */
        AT_START,
        /** An equal part with each day that begins. */
        DAILY
    }

    /** What becomes of a waiting job that does not fit. Running jobs are left alone. */
    public enum Exhausted {
        /** It is held until it fits. */
        HOLD,
        /** It runs on borrowed cores only, whatever the quota leaves. */
        BORROW,
        /** It keeps its right, and comes behind everybody else's work. */
        LAST
    }

    public BudgetGrant {
        if (core_s == null && gpu_s == null) {
            throw new IllegalArgumentException("a budget limits core-hours, gpu-hours or both");
        }
        if (core_s != null && core_s < 0 || gpu_s != null && gpu_s < 0) {
            throw new IllegalArgumentException("a budget cannot be negative");
        }
        if (carryOver_percent < 0 || carryOver_percent > 100) {
            throw new IllegalArgumentException("carry-over is between 0 and 100 percent, got " + carryOver_percent);
        }
    }

    /**
     * What the period lets its owner have spent by now: what was carried over, and the part of the grant that is refilled. Q-47: only
     * what the last period itself granted and did not see spent is carried, so nothing is carried twice.
     *
     * @param limit the limit of a resource, in its seconds
     * @param spentBefore what the period before has cost
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

    /** Whether this amount is within the limits. */
    boolean covers(final ProcessorTime available, final ProcessorTime wanted) {
        return (core_s == null || wanted.coreSeconds() <= available.coreSeconds())
                && (gpu_s == null || wanted.gpuSeconds() <= available.gpuSeconds());
    }

    /** Whether what is spent leaves nothing of a resource that the job occupies. */
    boolean isSpent(final ProcessorTime available, final ProcessorTime spent, final Resources occupied) {
        return core_s != null && spent.coreSeconds() >= available.coreSeconds()
                || gpu_s != null && occupied.gpus() > 0 && spent.gpuSeconds() >= available.gpuSeconds();
    }

    /** How much of the scarcer resource is left, in whole per cents of what is available. */
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
