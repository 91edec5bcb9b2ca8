package io.millrace.story.fault;

import io.millrace.story.Pause;
import io.millrace.story.StackParts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long each service was not ready after a fault: until the last time at which it was not, in a period that ends when all have
 * been ready for a while.
 */
final class Recovery {

    /** Longer than a deciding service needs to notice a lost broker, and than the interval of its commits. */
    private static final Duration CALM = Duration.ofSeconds(6);

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private Recovery() {}

    /**
     * Watches the services until all are ready.
     *
     * @return the time from now until the last moment at which each was not ready; zero if it always was
     */
    static Map<String, Duration> of(final StackParts stack, final List<String> services) {
        final Instant begun = Instant.now();
        final Map<String, Duration> stops = new TreeMap<>();
        services.forEach(service -> stops.put(service, Duration.ZERO));
        Instant calmSince = begun;
        Instant now = begun;
        while (Duration.between(calmSince, now).compareTo(CALM) < 0
                && Duration.between(begun, now).compareTo(LIMIT) < 0) {
            for (final String service : services) {
                if (!stack.isReady(service)) {
                    calmSince = Instant.now();
                    stops.put(service, Duration.between(begun, calmSince));
                }
            }
            Pause.of(POLL_INTERVAL);
            now = Instant.now();
        }
        return stops;
    }
}
