package io.millrace.backfill.domain.job;

import io.millrace.model.policy.Plan;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The published plan of a waiting job, reduced to numbers that are cheap to compare.
 *
 * @param place in the order, from 1
 * @param start_s the predicted start; {@link ShadowTime#NEVER} if there is none
 * @param tolerance_s a predicted start that moves by less than this is not published again
 * @param content everything else that the plan contains, encoded as a number
 */
public record PublishedPlan(int place, long start_s, long tolerance_s, int content) {

    /** The tolerance of reservations and near the front of the queue. */
    public static final Duration MIN_TOLERANCE = Duration.ofMinutes(1);

    /** Of the place, and of the wait that was predicted when the plan was published. */
    private static final int TOLERATED_FRACTION = 10;

    public static PublishedPlan of(final Plan published, final long tolerance_s, final int content) {
        return new PublishedPlan(published.position(), second(published.predictedStart()), tolerance_s, content);
    }

    /**
     * By how much the predicted start of a plan may move before it is published again: a tenth of the wait, so that the end of one job does
     * not change the plans of all jobs behind it.
     */
    public static long tolerance_s(final Plan plan, final long now_s) {
        final boolean isExact = plan.isReserved() || plan.position() < TOLERATED_FRACTION;
        return isExact || plan.predictedStart() == null
                ? MIN_TOLERANCE.toSeconds()
                : Math.max(MIN_TOLERANCE.toSeconds(), (second(plan.predictedStart()) - now_s) / TOLERATED_FRACTION);
    }

    private static long second(final @Nullable Instant start) {
        return start == null ? ShadowTime.NEVER : start.getEpochSecond();
    }

    /** Whether a plan with these values need not be published again. */
    public boolean covers(final int newPlace, final long newStart_s, final int newContent) {
        return content == newContent
                && (start_s == newStart_s || Math.abs(start_s - newStart_s) < tolerance_s)
                && isNear(place, newPlace);
    }

    /** Whether two places differ by at most a tenth; near the front they must be equal. */
    public static boolean isNear(final int published, final int current) {
        return (long) Math.abs(published - current) * TOLERATED_FRACTION <= current;
    }
}
