package io.millrace.submit.rest.classes;

import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.policy.ClassModelState;
import io.millrace.submit.policy.ChangeClassModel;
import io.millrace.submit.policy.ShowClassModel;
import io.millrace.submit.rest.Api;
import io.millrace.submit.rest.CallerContext;
import io.millrace.submit.rest.EntityTag;
import io.millrace.submit.rest.ReadYourWrites;
import io.millrace.submit.rest.Responses;
import io.millrace.submit.rest.jobs.JobsResource;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Routes for the class model. Its version is its ETag. */
@Path("/api/v1/class-model")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "classes")
public class ClassModelResource {

    private final ShowClassModel models;
    private final ChangeClassModel change;
    private final ReadYourWrites writes;

    ClassModelResource(final ShowClassModel models, final ChangeClassModel change, final ReadYourWrites writes) {
        this.models = models;
        this.change = change;
        this.writes = writes;
    }

    /** Another model. */
    @Schema(name = "ClassModelRequest")
    public record ChangeRequest(
            @Schema(description = "YAML, as the guide to classification describes it") @Nullable
            String model,

            @Nullable String reason) {}

    /** A draft. */
    @Schema(name = "ClassModelDraft")
    public record PreviewRequest(
            @Schema(description = "YAML; absent: the model in force, for the figures of its stages") @Nullable
            String model) {}

    @GET
    @Operation(operationId = "showClassModel", summary = "Show the class model")
    @APIResponse(
            responseCode = "200",
            description = "The model with its version as ETag",
            headers = @Header(name = HttpHeaders.ETAG, ref = HttpHeaders.ETAG),
            content = @Content(schema = @Schema(implementation = ClassModelView.class)))
    public Response show(
            @Context final SecurityContext security, @HeaderParam(Api.OFFSET) final @Nullable String offset) {
        CallerContext.caller(security);
        writes.await(security, offset);
        final ClassModelState shown = models.model();
        return Responses.versioned(ClassModelView.of(shown), shown.version());
    }

    @PUT
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "changeClassModel", summary = "Request another class model; operators only")
    @APIResponse(
            responseCode = "202",
            description = "Requested; in force when the model has a new version, or refused with an error",
            content = @Content(schema = @Schema(implementation = ClassModelView.RequestView.class)))
    @APIResponse(responseCode = "412", description = "Another version is in force")
    public Response change(
            @Context final SecurityContext security,
            @Parameter(description = "ETag of the version that the change is based on")
                    @HeaderParam(HttpHeaders.IF_MATCH)
                    final @Nullable String match,
            final @Nullable ChangeRequest body) {
        final Caller caller = CallerContext.caller(security);
        caller.requireOperator(ChangeClassModel.WHAT);
        final ChangeRequest requested = JobsResource.requireBody(body);
        return accepted(change.change(caller, requested.model(), requested.reason(), EntityTag.version(match)));
    }

    @POST
    @Path("/preview")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "requestClassModelPreview",
            summary = "Request to classify the last jobs with a draft; operators only")
    @APIResponse(
            responseCode = "202",
            description = "Requested; the result is there when the preview has this requestedAt",
            content = @Content(schema = @Schema(implementation = ClassModelView.RequestView.class)))
    public Response preview(@Context final SecurityContext security, final @Nullable PreviewRequest body) {
        final Caller caller = CallerContext.caller(security);
        caller.requireOperator(ChangeClassModel.WHAT);
        return accepted(change.preview(caller, JobsResource.requireBody(body).model()));
    }

    @GET
    @Path("/preview")
    @Operation(
            operationId = "showClassModelPreview",
            summary =
                    "Show the result of your latest preview: which of the last jobs would have other classes, and what"
                            + " each stage did; operators only")
    public ClassModelPreviewView preview(@Context final SecurityContext security) {
        return ClassModelPreviewView.of(models.preview(CallerContext.caller(security)));
    }

    private static Response accepted(final ChangeClassModel.Accepted done) {
        return Responses.accepted(ClassModelView.RequestView.of(done.request(), false, null), done.position())
                .build();
    }
}
