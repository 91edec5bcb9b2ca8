package io.millrace.backfill.domain.job;

import io.millrace.model.policy.Plan;
import java.time.Duration;
import java.time.Instant;

/**
 * The published plan of a waiting job, reduced to numbers that are cheap to compare.
 *
 * @param place in the order, from 1
 * @param start_s the predicted start; {@link ShadowTime#NEVER} if there is none
 * @param content everything else that the plan contains, encoded as a number
 */
public record PublishedPlan(int place, long start_s, int content) {
    /** A predicted start that moves by less than this is not published again. */
    public static final Duration START_TOLERANCE = Duration.ofMinutes(1);

    public static PublishedPlan of(final Plan published, final int content) {
        final Instant start = published.predictedStart();
        return new PublishedPlan(
                published.position(), start == null ? ShadowTime.NEVER : start.getEpochSecond(), content);
    }

    /** Whether a plan with these values need not be published again. */
    public boolean covers(final int newPlace, final long newStart_s, final int newContent) {
        return content == newContent
                && (start_s == newStart_s || Math.abs(start_s - newStart_s) < START_TOLERANCE.toSeconds())
                && isNear(place, newPlace);
    }

    /** Whether two places differ by at most a tenth; near the front they must be equal. */
    public static boolean isNear(final int published, final int current) {
        return Math.abs(published - current) * 10L <= current;
    }
}
