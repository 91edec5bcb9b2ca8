package io.millrace.agent;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.millrace.model.command.Outcome;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The agent's metrics. */
public final class AgentMetrics {

    private final MeterRegistry registry;
    private final Timer observations;

    public AgentMetrics(final MeterRegistry registry) {
        this.registry = registry;
        this.observations = Timer.builder("millrace.agent.observation")
                .description("Duration of one poll of the workload manager, including the revision it publishes")
                .register(registry);
    }

    public void outcome(final Outcome outcome) {
        final String result = outcome.result().getClass().getSimpleName().toLowerCase(Locale.ROOT);
        registry.counter("millrace.agent.outcomes", "action", outcome.action(), "result", result)
                .increment();
    }

    <T extends @Nullable Object> T observation(final Supplier<T> look) {
        return observations.record(look);
    }

    void gauge(final String name, final String description, final Supplier<Number> value) {
        io.micrometer.core.instrument.Gauge.builder(name, value)
                .description(description)
                .register(registry);
    }
}
