package io.millrace.submit;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Duration;

/**
 * A value that followers poll. One reading within an interval serves all of them.
 *
 * <p>Mutiny's {@code broadcast().withCancellationAfterLastSubscriberDeparture()} is not used: a follower that leaves while it subscribes can cancel the
 * source that the next follower has just connected, and then neither that one nor a later one receives anything.
 */
final class PolledValue<T> {

    private final Duration interval;
    private final Uni<T> recent;

    /** @param reading reads the value each time it is subscribed to; it must not fail */
    PolledValue(final Uni<T> reading, final Duration interval) {
        this.interval = interval;
        this.recent = reading.memoize().atLeast(interval);
    }

    /** An endless stream of readings, for a follower that may be slower than the interval. */
    Multi<T> follow() {
        return Multi.createFrom()
                .ticks()
                .every(interval)
                .onOverflow()
                .drop()
                .onItem()
                .transformToUniAndConcatenate(tick -> recent);
    }

    /** The value, read again if the last reading is older than the interval. */
    Uni<T> recent() {
        return recent;
    }
}
