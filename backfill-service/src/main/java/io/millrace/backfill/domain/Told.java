package io.millrace.backfill.domain;

import io.millrace.model.policy.Plan;
import java.time.Instant;

/**
 * What stands on the log for a job that waits, in figures that are compared quickly: {@link Plans#asGood} says the same of the plans themselves.
 *
 * @param start_s its predicted start; {@link ShadowTime#NEVER} if nothing can be said
 * @param lies how matters lie: what its plan says beside place and start
 */
record Told(int place, long start_s, int lies) {

    static Told of(final Plan standing, final int lies) {
        final Instant start = standing.predictedStart();
        return new Told(standing.position(), start == null ? ShadowTime.NEVER : start.getEpochSecond(), lies);
    }

    boolean serves(final int placeNow, final long startNow_s, final int liesNow) {
        return lies == liesNow
                && (start_s == startNow_s || Math.abs(start_s - startNow_s) < Plans.WOBBLE.toSeconds())
                && Plans.isNear(place, placeNow);
    }
}
