package io.millrace.submit.kafka;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready when the read model contains the log up to the assignment of the partitions, and the projection runs. */
@Readiness
@ApplicationScoped
class ProjectionReadiness implements HealthCheck {

    private final ProjectionProgress progress;

    ProjectionReadiness(final ProjectionProgress progress) {
        this.progress = progress;
    }

    @Override
    public HealthCheckResponse call() {
        return progress.obstacle()
                .map(reason -> HealthCheckResponse.named("projection")
                        .down()
                        .withData("reason", reason)
                        .build())
                .orElseGet(() -> HealthCheckResponse.up("projection"));
    }
}
