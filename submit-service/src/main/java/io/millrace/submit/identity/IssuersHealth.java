package io.millrace.submit.identity;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** If the file of issuers cannot be read, the last valid version stays in use; the check reports the problem and stays UP. */
@Readiness
@ApplicationScoped
class IssuersHealth implements HealthCheck {

    private final Issuers issuers;

    IssuersHealth(final Issuers issuers) {
        this.issuers = issuers;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("issuers file")
                .withData("reason", issuers.problem().orElse("read"))
                .up()
                .build();
    }
}
