package io.millrace.submit.domain.log;

import io.millrace.model.Event;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One record of the log.
 *
 * @param key null if the record had none
 * @param event null is a tombstone, or a type this release does not know
 * @param skip whether the record only counts as passed
 */
public record ProjectedRecord(
        LogPosition at,
        Instant time,
        @Nullable String key,
        @Nullable Event event,
        boolean skip) {

    public static ProjectedRecord passed(final LogPosition at, final Instant time) {
        return new ProjectedRecord(at, time, null, null, true);
    }
}
