package io.millrace.submit.domain;

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
public record Recorded(
        Position at,
        Instant time,
        @Nullable String key,
        @Nullable Event event,
        boolean skip) {

    public static Recorded passed(final Position at, final Instant time) {
        return new Recorded(at, time, null, null, true);
    }
}
