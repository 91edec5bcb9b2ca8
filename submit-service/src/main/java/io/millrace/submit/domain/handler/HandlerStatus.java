package io.millrace.submit.domain.handler;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The status of a handler in this instance; counters since the instance started.
 *
 * @param target address or program path
 * @param since when the state was entered; null while delivering
 * @param reason of the state; null while delivering
 * @param delivered accepted events
 * @param failedAttempts failed deliveries
 * @param deadLettered events written to the dead-letter topic
 * @param lag events in delivery, and events on the log that were not read yet
 * @param lastDeliveredAt null: none yet
 */
public record HandlerStatus(
        String name,
        String target,
        State state,
        @Nullable Instant since,
        @Nullable String reason,
        long delivered,
        long failedAttempts,
        long deadLettered,
        long lag,
        @Nullable Instant lastDeliveredAt) {

    /** What the handler does. */
    public enum State {
        DELIVERING,
        FAILING,
        PAUSED
    }
}
