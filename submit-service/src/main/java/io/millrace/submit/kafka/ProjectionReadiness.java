package io.millrace.submit.kafka;

import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaConsumer;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready when readers see what stood on the log when this instance began, and the projection goes on. */
@Readiness
@ApplicationScoped
class ProjectionReadiness implements HealthCheck {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final KafkaClientService clients;
    private final ProjectionProgress progress;

    ProjectionReadiness(final KafkaClientService clients, final ProjectionProgress progress) {
        this.clients = clients;
        this.progress = progress;
    }

    @Override
    public HealthCheckResponse call() {
        if (progress.whyBehind().isPresent()) {
            look();
        }
        return progress.whyBehind()
                .map(why -> HealthCheckResponse.named("projection")
                        .down()
                        .withData("because", why)
                        .build())
                .orElseGet(() -> HealthCheckResponse.up("projection"));
    }

    private void look() {
        final KafkaConsumer<byte[], byte[]> consumer = clients.getConsumer(ProjectionConsumer.CHANNEL);
        if (consumer != null) {
            progress.read(consumer.getPositions().await().atMost(PATIENCE));
        }
    }
}
