package io.millrace.backfill.kafka;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready when the log is replayed and the service decides. */
@Readiness
@ApplicationScoped
public class LoopReady implements HealthCheck {

    private final RunLoop loop;

    LoopReady(final RunLoop loop) {
        this.loop = loop;
    }

    @Override
    public HealthCheckResponse call() {
        final String trouble = loop.trouble();
        final var response = HealthCheckResponse.named("deciding loop").status(trouble == null);
        return trouble == null
                ? response.build()
                : response.withData("trouble", trouble).build();
    }
}
