package io.millrace.submit.domain.handler;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a handler is doing, as far as this instance delivers to it; figures since it started.
 *
 * @param target where its events go
 * @param since of the state; null while it delivers
 * @param because of the state; null while it delivers
 * @param delivered events it has taken
 * @param failedTries deliveries that went wrong
 * @param deadLettered events put aside
 * @param behind events on their way, or on the log and not looked at yet
 * @param lastDelivered null: nothing yet
 */
public record ShownHandler(
        String name,
        String target,
        State state,
        @Nullable Instant since,
        @Nullable String because,
        long delivered,
        long failedTries,
        long deadLettered,
        long behind,
        @Nullable Instant lastDelivered) {

    /** What it is doing. */
    public enum State {
        DELIVERING,
        FAILING,
        PARKED
    }
}
