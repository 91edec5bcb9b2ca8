package io.millrace.log;

import io.millrace.model.Event;
import io.millrace.model.protocol.Topic;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One record as read from the log.
 *
 * @param partition of {@code topic}
 * @param offset position on that partition; a record handled twice comes with the same offset
 * @param time when the writer wrote it, to the millisecond
 * @param key the record key, e.g. {@code alpha/job/12@2026-01-01T00:00:00Z}
 * @param event null for a tombstone: the key was removed
 */
public record LogRecord(
        Topic topic,
        int partition,
        long offset,
        Instant time,
        String key,
        @Nullable Event event) {

    public boolean isTombstone() {
        return event == null;
    }
}
