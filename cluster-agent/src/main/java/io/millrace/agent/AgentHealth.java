package io.millrace.agent;

import io.millrace.model.cluster.WlmHealth;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
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
            final String trouble = agent == null ? "starting" : agent.trouble();
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
            final WlmHealth health = agent == null ? null : agent.wlmHealth();
            return switch (health) {
                case null ->
                    HealthCheckResponse.named("workload manager").down().build();
                case WlmHealth.Answering a ->
                    HealthCheckResponse.named("workload manager").up().build();
                case WlmHealth.Stale stale ->
                    HealthCheckResponse.named("workload manager")
                            .withData("says", stale.because())
                            .withData("last answered", stale.lastGood().toString())
                            .down()
                            .build();
            };
        };
    }
}
