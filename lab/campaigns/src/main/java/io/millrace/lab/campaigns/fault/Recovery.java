package io.millrace.lab.campaigns.fault;

import io.millrace.story.Pause;
import io.millrace.story.StackParts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The return of a stack to work after a fault. Parts that end by themselves are started again, as the service manager of a site does.
 *
 * @param stops how long each service was not ready: until the last time at which it was not, in a period that ends when all have been
 *     ready for a while; zero if it always was
 * @param ended parts that ended by themselves
 */
record Recovery(Map<String, Duration> stops, List<String> ended) {

    /** Longer than a deciding service needs to notice a lost broker, and than the interval of its commits. */
    private static final Duration CALM = Duration.ofSeconds(6);

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    /**
     * Watches the services until all are ready, at most five minutes.
     *
     * @param since from when on the stops are measured
     * @param kept parts that are started again if they end
     */
    static Recovery since(final Instant since, final StackParts stack, final List<String> kept) {
        final List<String> services = stack.services();
        final Map<String, Duration> stops = new TreeMap<>();
        services.forEach(service -> stops.put(service, Duration.ZERO));
        final List<String> ended = new ArrayList<>();
        final Instant begun = Instant.now();
        Instant calmSince = begun;
        Instant now = begun;
        while (Duration.between(calmSince, now).compareTo(CALM) < 0
                && Duration.between(begun, now).compareTo(LIMIT) < 0) {
            for (final String part : kept) {
                if (!stack.isAlive(part)) {
                    ended.add(part);
                    stack.restart(part);
                    calmSince = Instant.now();
                    stops.replace(part, Duration.between(since, calmSince));
                }
            }
            for (final String service : services) {
                if (!stack.isReady(service)) {
                    calmSince = Instant.now();
                    stops.put(service, Duration.between(since, calmSince));
                }
            }
            Pause.of(POLL_INTERVAL);
            now = Instant.now();
        }
        return new Recovery(stops, ended);
    }

    Map.Entry<String, Duration> longest() {
        return Collections.max(stops.entrySet(), Map.Entry.comparingByValue());
    }
}
