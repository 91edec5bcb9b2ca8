package io.millrace.agent.wlm;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** Repeats a query every half second until it has a result or the time is over. */
public final class Polling {

    private static final Duration INTERVAL = Duration.ofMillis(500);

    private Polling() {}

    /**
     * @param query runs at least once; empty if there is no result yet
     * @param timeout the answer if there is no result by {@code end}
     */
    public static <T> Answer<T> until(
            final Instant end,
            final Clock clock,
            final Supplier<Optional<Answer<T>>> query,
            final Supplier<Answer<T>> timeout)
            throws InterruptedException {
        while (true) {
            final Optional<Answer<T>> result = query.get();
            if (result.isPresent()) {
                return result.get();
            }
            if (clock.instant().isAfter(end)) {
                return timeout.get();
            }
            Thread.sleep(INTERVAL.toMillis());
        }
    }
}
