package io.millrace.submit.domain.handler;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a handler is doing, as far as this instance delivers to it; figures since it started.
 *
 * @param target where its events go
 * @param since of the state; null while it delivers
 * @param reason of the state; null while it delivers
 * @param delivered events it has taken
 * @param failedAttempts deliveries that went wrong
 * @param deadLettered events put aside
 * @param lag events on their way, or on the log and not looked at yet
 * @param lastDeliveredAt null: nothing yet
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

    /** What it is doing. */
    public enum State {
        DELIVERING,
        FAILING,
        PAUSED
    }
}
