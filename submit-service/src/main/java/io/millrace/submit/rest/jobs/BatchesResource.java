package io.millrace.submit.rest.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.job.GlobalJob;
import io.millrace.submit.AlterBatch;
import io.millrace.submit.ChangeBatch;
import io.millrace.submit.ReadModel;
import io.millrace.submit.SubmitBatch;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.submission.JobRequest;
import io.millrace.submit.rest.Api;
import io.millrace.submit.rest.CallerContext;
import io.millrace.submit.rest.ReadYourWrites;
import io.millrace.submit.rest.Responses;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Batches: several global jobs from one request. */
@Path("/api/v1/batches")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "jobs")
public class BatchesResource {

    private final SubmitBatch submit;
    private final ChangeBatch change;
    private final AlterBatch alter;
    private final ReadModel model;
    private final ReadYourWrites writes;

    BatchesResource(
            final SubmitBatch submit,
            final ChangeBatch change,
            final AlterBatch alter,
            final ReadModel model,
            final ReadYourWrites writes) {
        this.submit = submit;
        this.change = change;
        this.alter = alter;
        this.model = model;
        this.writes = writes;
    }

    /** An accepted batch. */
    @Schema(name = "BatchAccepted")
    public record AcceptedView(
            @Schema(description = "Ends with 0000; the jobs have the same first 22 characters")
            String id,

            @Schema(description = "Short number, which commands and paths accept in place of the id", examples = "4711")
            String number,

            @Schema(description = "Number of jobs") int jobs,

            @Schema(description = "Notes about script directives")
            List<String> notes) {}

    /** A batch with the number of its jobs in each state. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "Batch")
    public record BatchView(
            String id,
            String number,
            String name,
            String user,

            @Schema(description = "Number of jobs") int jobs,

            @Schema(description = "Whether all jobs have ended")
            boolean finished,

            Instant submittedAt,
            List<JobsResource.JobCountView> counts) {

        static BatchView of(final ReadModel.BatchDetails batch) {
            final GlobalJob job = batch.first().job();
            return new BatchView(
                    batch.batch().value(),
                    Long.toString(job.submission().number()),
                    job.submission().spec().name(),
                    job.submission().owner().value(),
                    Math.toIntExact(batch.counts().stream()
                            .mapToLong(count -> count.jobs())
                            .sum()),
                    batch.isFinished(),
                    job.submission().submittedAt(),
                    batch.counts().stream().map(JobsResource.JobCountView::of).toList());
        }
    }

    /** A change that was requested for the jobs of a batch. */
    @Schema(name = "BatchChange")
    public record ChangeView(
            String id,

            @Schema(description = "Number of jobs that it was requested for")
            int requested,

            @Schema(description = "Number of unfinished jobs for which it is not possible, or was requested before")
            int others) {}

    /** A change of properties that was requested for the jobs of a batch. */
    @Schema(name = "BatchAlteration")
    public record AlteredView(
            String id,

            @Schema(description = "Number of jobs that it was requested for")
            int requested,

            @Schema(description = "Number of unfinished jobs for which it is not possible")
            int refused,

            @Schema(description = "Why it is not possible: the most frequent reasons")
            List<RefusalView> reasons) {

        static AlteredView of(final AlterBatch.Altered change) {
            return new AlteredView(
                    change.batch().value(),
                    change.requested(),
                    change.refused(),
                    change.refusals().stream()
                            .map(refusal -> new RefusalView(refusal.reason(), refusal.jobs()))
                            .toList());
        }
    }

    /** Why jobs of a batch were not changed. */
    @Schema(name = "BatchRefusal")
    public record RefusalView(
            @Schema(description = "Of the first of these jobs")
            String reason,

            @Schema(description = "Number of jobs") int jobs) {}

    @POST
    @RunOnVirtualThread // waits for the broker
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "submitBatch",
            summary = "Submit several jobs with one request: an array, or one job in each of several directories")
    @APIResponse(
            responseCode = "202",
            description = "Accepted; each job will reach End, Aborted or Stopped",
            headers = @Header(name = HttpHeaders.LOCATION, ref = HttpHeaders.LOCATION),
            content = @Content(schema = @Schema(implementation = AcceptedView.class)))
    public Response submit(
            @Context final SecurityContext security,
            @Parameter(
                            description =
                                    "Requests with the same key and body create one batch; another body with a used"
                                            + " key is refused. Without a key, a request whose answer is lost may have"
                                            + " created some of the jobs")
                    @HeaderParam("Idempotency-Key")
                    final @Nullable String key,
            final @Nullable JobRequest body) {
        final SubmitBatch.Accepted accepted =
                submit.submit(CallerContext.caller(security), JobsResource.requireBody(body), key);
        return Responses.accepted(
                        new AcceptedView(
                                accepted.batch().value(),
                                Long.toString(accepted.number()),
                                accepted.jobs(),
                                accepted.notes()),
                        accepted.position())
                .location(URI.create("/api/v1/batches/" + accepted.batch()))
                .build();
    }

    @GET
    @Path("/{id}")
    @Operation(
            operationId = "showBatch",
            summary = "Show a batch with the number of its jobs in each state; its jobs: GET /api/v1/jobs?batch=ID")
    public BatchView show(
            @Context final SecurityContext security,
            @PathParam("id") final String id,
            @HeaderParam(Api.OFFSET) final @Nullable String offset) {
        writes.await(security, offset);
        final Caller caller = CallerContext.caller(security);
        return BatchView.of(model.batch(caller, model.batchId(caller, id)));
    }

    @POST
    @Path("/{id}/stop")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "stopBatch", summary = "Request the stop of all jobs of a batch that have not ended")
    @APIResponse(
            responseCode = "202",
            description = "Requested",
            content = @Content(schema = @Schema(implementation = ChangeView.class)))
    @APIResponse(responseCode = "409", description = "All jobs have ended already")
    public Response stop(
            @Context final SecurityContext security,
            @PathParam("id") final String id,
            final JobsResource.@Nullable StopRequest body) {
        final Caller caller = CallerContext.caller(security);
        return requested(change.stop(caller, model.batchId(caller, id), body == null ? null : body.reason()));
    }

    @POST
    @Path("/{id}/hold")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "holdBatch", summary = "Keep the jobs of a batch that have not started from starting")
    @APIResponse(
            responseCode = "202",
            description = "Requested",
            content = @Content(schema = @Schema(implementation = ChangeView.class)))
    @APIResponse(responseCode = "409", description = "All jobs have ended already")
    public Response hold(
            @Context final SecurityContext security,
            @PathParam("id") final String id,
            final JobsResource.@Nullable HoldRequest body) {
        final Caller caller = CallerContext.caller(security);
        return requested(change.hold(caller, model.batchId(caller, id), body == null ? null : body.reason()));
    }

    @POST
    @Path("/{id}/release")
    @Operation(
            operationId = "releaseBatch",
            summary = "Release the held jobs of a batch. Only operators release jobs that an operator has held")
    @APIResponse(
            responseCode = "202",
            description = "Requested",
            content = @Content(schema = @Schema(implementation = ChangeView.class)))
    @APIResponse(responseCode = "409", description = "All jobs have ended already")
    public Response release(@Context final SecurityContext security, @PathParam("id") final String id) {
        final Caller caller = CallerContext.caller(security);
        return requested(change.release(caller, model.batchId(caller, id)));
    }

    @POST
    @Path("/{id}/alter")
    @RunOnVirtualThread // waits for agents
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "alterBatch",
            summary = "Change properties of the jobs of a batch that have not ended, as alterJob does with one job")
    @APIResponse(
            responseCode = "202",
            description = "Requested",
            content = @Content(schema = @Schema(implementation = AlteredView.class)))
    @APIResponse(responseCode = "409", description = "All jobs have ended already")
    public Response alter(
            @Context final SecurityContext security,
            @PathParam("id") final String id,
            final JobsResource.@Nullable AlterRequest body) {
        final JobsResource.AlterRequest wanted = JobsResource.requireBody(body);
        final Caller caller = CallerContext.caller(security);
        final AlterBatch.Altered change = alter.alter(
                caller,
                model.batchId(caller, id),
                job -> wanted.validated(job.submission().spec(), model.namedBy(caller)));
        return Responses.accepted(AlteredView.of(change), change.position()).build();
    }

    private static Response requested(final ChangeBatch.Requested change) {
        return Responses.accepted(
                        new ChangeView(change.batch().value(), change.requested(), change.others()), change.position())
                .build();
    }
}
