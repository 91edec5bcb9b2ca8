package io.millrace.service;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready when the log is replayed and the service is active or on standby. */
@Readiness
@ApplicationScoped
public class LoopsReady implements HealthCheck {

    private final RunLoops loops;

    LoopsReady(final RunLoops loops) {
        this.loops = loops;
    }

    @Override
    public HealthCheckResponse call() {
        final String trouble = loops.trouble();
        final var response = HealthCheckResponse.named("deciding loops").status(trouble == null);
        return trouble == null
                ? response.build()
                : response.withData("trouble", trouble).build();
    }
}
