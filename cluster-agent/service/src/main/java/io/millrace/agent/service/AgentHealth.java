package io.millrace.agent.service;

import io.millrace.agent.Agent;
import io.millrace.agent.observe.WlmStatus;
import io.millrace.model.cluster.SupportedVersions;
import io.millrace.model.cluster.WlmHealth;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** The agent is ready if it has replayed its topics and its workload manager answers. */
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
            final String problem = agent == null ? "starting" : agent.problem();
            return HealthCheckResponse.named("log")
                    .withData("reason", problem == null ? "replayed" : problem)
                    .status(problem == null)
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
                    : workloadManager(agent.wlmVersion(), agent.wlmStatus(), agent.eventSources());
        };
    }

    static HealthCheckResponse workloadManager(
            final String version, final WlmStatus status, final Map<String, String> sources) {
        final HealthCheckResponseBuilder response = HealthCheckResponse.named("workload manager")
                .withData("version", version)
                .withData("unknownStates", status.unknownStates())
                .withData("unreadableJobs", status.unreadableJobs())
                .withData("failedPolls", status.failedPolls())
                .withData("lastAnsweredAt", String.valueOf(status.lastAnsweredAt()));
        SupportedVersions.problem(version).ifPresent(problem -> response.withData("unsupportedVersion", problem));
        sources.forEach(response::withData);
        return switch (status.health()) {
            case WlmHealth.Answering a -> response.up().build();
            case WlmHealth.Stale stale ->
                response.withData("reason", stale.reason())
                        .withData("lastAnsweredAt", stale.lastAnsweredAt().toString())
                        .down()
                        .build();
        };
    }

    /** Down while the agent cannot take the control that it is configured for: then its cluster is scheduled as if Millrace were not there. */
    @Produces
    @Readiness
    HealthCheck control() {
        return () -> {
            final Agent agent = service.agent();
            final String problem = agent == null ? null : agent.controlProblem();
            return HealthCheckResponse.named("control")
                    .withData("reason", problem == null ? "as configured" : problem)
                    .status(problem == null)
                    .build();
        };
    }

    /** If the file cannot be read, the last valid version stays in use; the check reports the problem and stays UP. */
    @Produces
    @Readiness
    HealthCheck siteMapping() {
        return () -> {
            final String problem = service.siteMappingProblem();
            return HealthCheckResponse.named("site mapping")
                    .withData("reason", problem == null ? "read" : problem)
                    .up()
                    .build();
        };
    }
}
