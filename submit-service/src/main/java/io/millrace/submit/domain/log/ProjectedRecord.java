package io.millrace.submit.domain.log;

import io.millrace.model.Event;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record of the log as the projection reads it.
 *
 * @param key null if the record had none
 * @param event null: a tombstone, or a type that this release does not know
 * @param skip whether the record only advances the offset
 */
public record ProjectedRecord(
        LogPosition position,
        Instant time,
        @Nullable String key,
        @Nullable Event event,
        boolean skip) {

    public static ProjectedRecord skipped(final LogPosition at, final Instant time) {
        return new ProjectedRecord(at, time, null, null, true);
    }
}
