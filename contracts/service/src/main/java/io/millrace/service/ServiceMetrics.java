package io.millrace.service;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/** Metrics of a decider beyond those of its loop. */
public final class ServiceMetrics {

    private ServiceMetrics() {}

    /**
     * How many things are in each state, as of the last decision; one gauge per state, tagged {@code state}.
     *
     * @return hears the counts, by state; a state that is not among them has none
     */
    public static Consumer<Map<String, Long>> byState(
            final MeterRegistry metrics, final String name, final List<String> states) {
        final AtomicReference<Map<String, Long>> counts = new AtomicReference<>(Map.of());
        for (final String state : states) {
            Gauge.builder(name, () -> counts.get().getOrDefault(state, 0L))
                    .tag("state", state)
                    .register(metrics);
        }
        return counts::set;
    }

    /**
     * How often each kind of thing has happened; one counter per kind, tagged {@code kind}.
     *
     * @param tally the counts; held weakly, so the caller must keep a reference
     */
    public static <T> void byKind(
            final MeterRegistry metrics,
            final String name,
            final List<String> kinds,
            final T tally,
            final Function<T, Map<String, Long>> counts) {
        for (final String kind : kinds) {
            FunctionCounter.builder(name, tally, all -> counts.apply(all).getOrDefault(kind, 0L))
                    .tag("kind", kind)
                    .register(metrics);
        }
    }
}
