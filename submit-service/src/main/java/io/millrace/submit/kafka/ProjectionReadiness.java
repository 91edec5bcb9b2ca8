package io.millrace.submit.kafka;

import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaConsumer;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready when the read model contains the log up to the assignment of the partitions, and the projection runs. */
@Readiness
@ApplicationScoped
class ProjectionReadiness implements HealthCheck {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final KafkaClientService clients;
    private final ProjectionProgress progress;

    ProjectionReadiness(final KafkaClientService clients, final ProjectionProgress progress) {
        this.clients = clients;
        this.progress = progress;
    }

    @Override
    public HealthCheckResponse call() {
        if (progress.obstacle().isPresent()) {
            updatePositions();
        }
        return progress.obstacle()
                .map(reason -> HealthCheckResponse.named("projection")
                        .down()
                        .withData("reason", reason)
                        .build())
                .orElseGet(() -> HealthCheckResponse.up("projection"));
    }

    private void updatePositions() {
        final KafkaConsumer<byte[], byte[]> consumer = clients.getConsumer(ProjectionConsumer.CHANNEL);
        if (consumer != null) {
            progress.consumerAt(consumer.getPositions().await().atMost(TIMEOUT));
        }
    }
}
