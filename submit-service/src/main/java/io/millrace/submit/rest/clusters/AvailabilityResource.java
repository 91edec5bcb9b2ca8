package io.millrace.submit.rest.clusters;

import io.millrace.model.ClusterId;
import io.millrace.model.policy.ClusterAvailability.Status;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.policy.ChangeAvailability;
import io.millrace.submit.rest.CallerContext;
import io.millrace.submit.rest.Parameters;
import io.millrace.submit.rest.Responses;
import io.millrace.submit.rest.jobs.JobsResource;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Instant;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The route to drain, fence and undrain a cluster. */
@Path("/api/v1/clusters/{cluster}/availability")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "clusters")
public class AvailabilityResource {

    private final ChangeAvailability availability;

    AvailabilityResource(final ChangeAvailability availability) {
        this.availability = availability;
    }

    /** A requested change. */
    @Schema(name = "AvailabilityRequest")
    public record AvailabilityRequest(
            @Schema(
                    required = true,
                    enumeration = {"open", "drained", "fenced"})
            @Nullable
            String status,

            @Schema(required = true, description = "Kept for audit; users see it") @Nullable
            String reason) {

        /** @throws RequestRefused if the status is missing or unknown */
        Status wanted() {
            return switch (Objects.requireNonNullElse(status, "")) {
                case "open" -> Status.OPEN;
                case "drained" -> Status.DRAINED;
                case "fenced" -> Status.FENCED;
                default -> throw RequestRefused.invalid("status", "must be open, drained or fenced");
            };
        }
    }

    /** A change that migration-service will decide. */
    @Schema(name = "AvailabilityChange")
    public record AvailabilityChangeView(String cluster, String author, Instant requestedAt) {}

    @GET
    @Operation(operationId = "showAvailability", summary = "Show whether jobs are placed on a cluster, and why not")
    public AvailabilityView show(@Context final SecurityContext security, @PathParam("cluster") final String cluster) {
        CallerContext.caller(security);
        return AvailabilityView.of(availability.of(id(cluster)).orElse(null));
    }

    @PUT
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "changeAvailability", summary = "Drain, fence or undrain (open) a cluster; operators only")
    @APIResponse(
            responseCode = "202",
            description = "Requested; in force when the availability has a new version",
            content = @Content(schema = @Schema(implementation = AvailabilityChangeView.class)))
    public Response change(
            @Context final SecurityContext security,
            @PathParam("cluster") final String cluster,
            final @Nullable AvailabilityRequest body) {
        final AvailabilityRequest requested = JobsResource.requireBody(body);
        final ChangeAvailability.Accepted done = availability.change(
                CallerContext.caller(security), id(cluster), requested.wanted(), requested.reason());
        return Responses.accepted(
                        new AvailabilityChangeView(
                                done.request().cluster().value(),
                                done.request().author().value(),
                                done.request().requestedAt()),
                        done.position())
                .build();
    }

    private static ClusterId id(final String cluster) {
        return Parameters.read("cluster", cluster, ClusterId::of);
    }
}
