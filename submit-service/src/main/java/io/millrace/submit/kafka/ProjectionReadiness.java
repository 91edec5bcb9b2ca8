package io.millrace.submit.kafka;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready when the read model contains the log up to the assignment of the partitions, and the projection runs. Records that were set aside do
 * not make it unready; the last one is named.
 */
@Readiness
@ApplicationScoped
class ProjectionReadiness implements HealthCheck {

    private final ProjectionProgress progress;
    private final DeadLetterWriter deadLetters;

    ProjectionReadiness(final ProjectionProgress progress, final DeadLetterWriter deadLetters) {
        this.progress = progress;
        this.deadLetters = deadLetters;
    }

    @Override
    public HealthCheckResponse call() {
        final Optional<String> obstacle = progress.obstacle();
        final var response = HealthCheckResponse.named("projection").status(obstacle.isEmpty());
        obstacle.ifPresent(reason -> response.withData("reason", reason));
        deadLetters.latest().ifPresent(record -> response.withData("degraded", record));
        return response.build();
    }
}
