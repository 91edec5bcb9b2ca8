package io.millrace.submit.rest.clusters;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.submit.DecidingServices;
import io.millrace.submit.domain.job.ServiceProgress;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The route for the services that decide about jobs. */
@Path("/api/v1")
@Produces("application/json")
@Tag(name = "clusters")
public class ServicesResource {

    private final DecidingServices services;

    ServicesResource(final DecidingServices services) {
        this.services = services;
    }

    /** All deciding services. */
    @Schema(name = "Services")
    public record ServicesView(List<ServiceView> services) {}

    /** How up to date a service is. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "Service")
    public record ServiceView(
            String name,

            @Schema(description = "Time of its last decision; absent if there is none") @Nullable
            Instant decidedAt,

            @Schema(description = "Whether it has not decided for more than a minute")
            boolean stalled,

            @Schema(description = "What to do; absent unless it is stalled") @Nullable
            String reason) {

        static ServiceView of(final ServiceProgress progress) {
            return new ServiceView(
                    progress.service(),
                    progress.decidedAt(),
                    progress.isStalled(),
                    progress.isStalled() ? progress.stall() : null);
        }
    }

    @GET
    @Path("/services")
    @Blocking
    @Operation(operationId = "listServices", summary = "List the services that decide about jobs")
    public ServicesView list() {
        return new ServicesView(
                services.progress().stream().map(ServiceView::of).toList());
    }
}
