package io.millrace.submit.rest.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.submit.FollowJobs;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.identity.LoginTokenVerifier;
import io.millrace.submit.rest.CallerContext;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestStreamElementType;
import org.jspecify.annotations.Nullable;

/** Job changes as server-sent events. */
@Path("/api/v1/events")
@Tag(name = "events")
public class EventsResource {

    /** Proxies close connections that are idle for a minute. A withdrawn token is noticed after this time. */
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(5);

    private final FollowJobs changes;
    private final LoginTokenVerifier tokens;

    EventsResource(final FollowJobs changes, final LoginTokenVerifier tokens) {
        this.changes = changes;
        this.tokens = tokens;
    }

    /**
     * A change of a job.
     *
     * @param change the change; absent in the initial snapshot
     * @param job the current job, which may be newer than the change
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "JobEvent")
    public record JobEvent(@Nullable ChangeView change, JobView job) {}

    /** The new state of a job. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "JobChange")
    public record ChangeView(
            @Schema(ref = "JobState") String state,
            @Schema(ref = "JobStage") String stage,
            @Nullable String cluster,
            Instant changedAt) {}

    @GET
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @RestStreamElementType(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "followJobs",
            summary = "Stream job changes as server-sent events. Users see their own jobs, operators all jobs",
            description =
                    "Starts with a snapshot of unfinished jobs, or after Last-Event-ID. Ends when the token expires"
                            + " or is no longer accepted.")
    @APIResponse(
            responseCode = "200",
            description = "Events named 'job' with a JobEvent as data",
            content =
                    @Content(
                            mediaType = MediaType.SERVER_SENT_EVENTS,
                            schema = @Schema(implementation = JobEvent.class)))
    public Multi<OutboundSseEvent> follow(
            @Context final SecurityContext security,
            @Context final Sse sse,
            @Parameter(description = "Id of the last event received") @HeaderParam("Last-Event-ID")
                    final @Nullable String last) {
        final LoginTokenVerifier.AuthenticatedCaller authenticated = CallerContext.authenticated(security);
        final AtomicBoolean accepted = new AtomicBoolean(true);
        final Multi<OutboundSseEvent> jobs =
                changes.follow(authenticated.caller(), number(last)).map(seen -> event(sse, seen));
        final Multi<OutboundSseEvent> alive = Multi.createFrom()
                .ticks()
                .every(KEEP_ALIVE)
                .onOverflow()
                .drop()
                .emitOn(Infrastructure.getDefaultWorkerPool())
                .invoke(() -> accepted.set(tokens.isStillAccepted(authenticated)))
                .map(tick -> sse.newEventBuilder().comment("keep-alive").build());
        return Multi.createBy().merging().streams(jobs, alive).select().first(event -> accepted.get());
    }

    private static OutboundSseEvent event(final Sse sse, final FollowJobs.JobUpdate seen) {
        final ChangeView change = seen.change() == null
                ? null
                : new ChangeView(
                        seen.change().state().word(),
                        seen.change().stage(),
                        seen.change().cluster() == null
                                ? null
                                : seen.change().cluster().value(),
                        seen.change().changedAt());
        return sse.newEventBuilder()
                .id(Long.toString(seen.seq()))
                .name("job")
                .mediaType(MediaType.APPLICATION_JSON_TYPE)
                .data(new JobEvent(change, JobView.brief(seen.job())))
                .build();
    }

    private static @Nullable Long number(final @Nullable String last) {
        if (last == null || last.isBlank()) {
            return null;
        }
        try {
            return Long.valueOf(last.strip());
        } catch (NumberFormatException e) {
            throw new RequestRefused(
                    RequestRefused.Kind.MALFORMED,
                    "Last-Event-ID must be the id of an event of this stream, got '" + last + "'");
        }
    }
}
