package io.millrace.service;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready when the log is replayed and the service is active or on standby. Records that the service has set aside do not make it unready; they
 * are named.
 */
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
        if (trouble != null) {
            response.withData("trouble", trouble);
        }
        final List<String> setAside = loops.setAside();
        if (!setAside.isEmpty()) {
            response.withData(
                    "degraded",
                    "records were set aside, the latest at " + String.join(", ", setAside)
                            + "; the log of the service has the reasons");
        }
        return response.build();
    }
}
