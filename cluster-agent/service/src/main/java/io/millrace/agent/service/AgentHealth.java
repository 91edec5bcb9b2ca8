package io.millrace.agent.service;

import io.millrace.agent.Agent;
import io.millrace.agent.observe.WlmStatus;
import io.millrace.model.cluster.WlmHealth;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** Ready is an agent that has read its log back and whose workload manager answers. */
@Singleton
class AgentHealth {

    private final AgentService service;

    AgentHealth(final AgentService service) {
        this.service = service;
    }

    @Produces
    @Readiness
    HealthCheck log() {
        return () -> {
            final Agent agent = service.agent();
            final String trouble = agent == null ? "starting" : agent.problem();
            return HealthCheckResponse.named("log")
                    .withData("says", trouble == null ? "read back" : trouble)
                    .status(trouble == null)
                    .build();
        };
    }

    @Produces
    @Readiness
    HealthCheck workloadManager() {
        return () -> {
            final Agent agent = service.agent();
            return agent == null
                    ? HealthCheckResponse.named("workload manager").down().build()
                    : workloadManager(agent.wlmStatus(), agent.eventSources());
        };
    }

    private static HealthCheckResponse workloadManager(final WlmStatus status, final Map<String, String> sources) {
        final HealthCheckResponseBuilder says = HealthCheckResponse.named("workload manager")
                .withData("unknown states", status.unknownStates())
                .withData("failed looks", status.failedPolls())
                .withData("last good look", String.valueOf(status.lastAnsweredAt()));
        sources.forEach(says::withData);
        return switch (status.health()) {
            case WlmHealth.Answering a -> says.up().build();
            case WlmHealth.Stale stale ->
                says.withData("says", stale.reason())
                        .withData("last answered", stale.lastAnsweredAt().toString())
                        .down()
                        .build();
        };
    }

    /** A file that cannot be read leaves the one before in force: worth an operator's look, no reason to stop. */
    @Produces
    @Readiness
    HealthCheck surroundings() {
        return () -> {
            final String trouble = service.troubleOfSurroundings();
            return HealthCheckResponse.named("surroundings")
                    .withData("says", trouble == null ? "read" : trouble)
                    .up()
                    .build();
        };
    }
}
