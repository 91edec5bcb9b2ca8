package io.millrace.submit.rest.handlers;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.submit.HandlerControl;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.handler.HandlerStatus;
import io.millrace.submit.rest.CallerContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Routes for event handlers and their status; operators only. */
@Path("/api/v1/handlers")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "handlers")
public class HandlersResource {

    private static final String WHAT = "managing event handlers";

    private final HandlerControl handlers;

    HandlersResource(final HandlerControl handlers) {
        this.handlers = handlers;
    }

    /** A handler; counters since this instance started. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "Handler")
    public record HandlerView(
            String name,
            @Schema(description = "Address or program") String target,

            @Schema(description = "delivering, failing or paused")
            String state,

            @Nullable Instant since,
            @Nullable String reason,
            long delivered,
            long failedAttempts,
            long deadLettered,

            @Schema(description = "Events in delivery, and events on the log that were not read yet")
            long lag,

            @Nullable Instant lastDeliveredAt) {

        static HandlerView of(final HandlerStatus handler) {
            return new HandlerView(
                    handler.name(),
                    handler.target(),
                    handler.state().name().toLowerCase(Locale.ROOT),
                    handler.since(),
                    handler.reason(),
                    handler.delivered(),
                    handler.failedAttempts(),
                    handler.deadLettered(),
                    handler.lag(),
                    handler.lastDeliveredAt());
        }
    }

    /** The list of handlers. */
    @Schema(name = "Handlers")
    public record HandlersView(List<HandlerView> handlers) {}

    @GET
    @Operation(operationId = "listHandlers", summary = "List webhooks, programs and the sender of mail; operators only")
    public HandlersView list(@Context final SecurityContext security) {
        operator(security);
        return new HandlersView(handlers.all().stream().map(HandlerView::of).toList());
    }

    @POST
    @Path("/{handler}/pause")
    @Operation(
            operationId = "pauseHandler",
            summary = "Stop deliveries until the handler is resumed; its offsets are kept; operators only")
    @APIResponse(responseCode = "204", description = "Paused")
    public Response pause(@Context final SecurityContext security, @PathParam("handler") final String name) {
        final Caller caller = operator(security);
        handlers.pause(name, "paused by " + caller.user());
        return Response.noContent().build();
    }

    @POST
    @Path("/{handler}/resume")
    @Operation(operationId = "resumeHandler", summary = "Continue deliveries and end a back-off; operators only")
    @APIResponse(responseCode = "204", description = "Resumed")
    public Response resume(@Context final SecurityContext security, @PathParam("handler") final String name) {
        operator(security);
        handlers.resume(name);
        return Response.noContent().build();
    }

    @POST
    @Path("/{handler}/redeliver")
    @Operation(
            operationId = "redeliverToHandler",
            summary = "Deliver the events that were dead-lettered since the last redelivery; operators only")
    @APIResponse(responseCode = "202", description = "Started; the list of handlers shows the progress")
    public Response redeliver(@Context final SecurityContext security, @PathParam("handler") final String name) {
        operator(security);
        handlers.redeliver(name);
        return Response.accepted().build();
    }

    private static Caller operator(final SecurityContext security) {
        final Caller caller = CallerContext.caller(security);
        caller.requireOperator(WHAT);
        return caller;
    }
}
