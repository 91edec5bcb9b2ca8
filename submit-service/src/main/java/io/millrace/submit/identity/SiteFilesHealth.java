package io.millrace.submit.identity;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** If a file cannot be read, its last valid version stays in use; the check reports the problem and stays UP. */
@Readiness
@ApplicationScoped
class SiteFilesHealth implements HealthCheck {

    private final Issuers issuers;
    private final Projects projects;

    SiteFilesHealth(final Issuers issuers, final Projects projects) {
        this.issuers = issuers;
        this.projects = projects;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("site files")
                .withData("issuers", shown(issuers.problem()))
                .withData("projects", shown(projects.problem()))
                .up()
                .build();
    }

    private static String shown(final Optional<String> problem) {
        return problem.orElse("read");
    }
}
