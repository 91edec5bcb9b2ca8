package io.millrace.submit.domain.job;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What has been read of the progress of one deciding loop. Its age is measured at the last reading that the broker answered, because nothing
 * is known of the time since then, and from the last one that it did not answer, because until then the loop could not record progress either.
 *
 * @param decidedAt when the loop had last decided on everything it had read; null: never
 * @param countedFrom since when the loop could have recorded progress
 * @param readAt the last reading that the broker answered
 */
public record LoopReading(@Nullable Instant decidedAt, Instant countedFrom, Instant readAt) {

    /** Nothing has been read since the start of this service; the whole stack may be starting. */
    public static LoopReading none(final Instant start) {
        return new LoopReading(null, start, start);
    }

    /** @param recorded null if the loop has not recorded progress in a form that this release reads */
    public LoopReading answered(final @Nullable Instant recorded, final Instant now) {
        return new LoopReading(recorded == null ? decidedAt : recorded, countedFrom, now);
    }

    public LoopReading unanswered(final Instant now) {
        return new LoopReading(decidedAt, now, readAt);
    }

    Duration age() {
        final Instant from = decidedAt == null || decidedAt.isBefore(countedFrom) ? countedFrom : decidedAt;
        return from.isAfter(readAt) ? Duration.ZERO : Duration.between(from, readAt);
    }
}
