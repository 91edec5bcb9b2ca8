package io.millrace.submit.rest.priority;

import io.millrace.submit.rest.Api;
import io.millrace.submit.rest.CallerContext;
import io.millrace.submit.rest.EntityTag;
import io.millrace.submit.rest.Parameters;
import io.millrace.submit.rest.Problem;
import io.millrace.submit.rest.ReadYourWrites;
import io.millrace.submit.rest.jobs.JobsResource;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.submit.ChangePriority;
import io.millrace.submit.ShowPriorities;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.policy.PriorityRulesState;
import io.millrace.submit.domain.policy.PreviewRules;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Priorities: the rules, whose version is the ETag, and the order they make. */
@Path("/api/v1/priority")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "priority")
@APIResponse(
        responseCode = "default",
        description = "What is wrong, and what to do",
        content = @Content(mediaType = Problem.MEDIA_TYPE, schema = @Schema(implementation = Problem.class)))
public class PriorityResource {

    private final ShowPriorities priorities;
    private final ChangePriority change;
    private final ReadYourWrites writes;

    PriorityResource(final ShowPriorities priorities, final ChangePriority change, final ReadYourWrites writes) {
        this.priorities = priorities;
        this.change = change;
        this.writes = writes;
    }

    /** Waiting jobs in order. */
    @Schema(name = "RankedJobs")
    public record RankedJobsView(List<RankedJobView> jobs) {}

    /** Rules to try. */
    @Schema(name = "PriorityPreview")
    public record PreviewRequest(
            @Schema(description = "Those not named stay as they are") @Nullable
            Map<String, @Nullable Integer> weights,

            @Schema(examples = "PT168H", description = "Absent, as with each of the following: as in force") @Nullable
            String maxAge,

            @Schema(description = "In full: the factor of each class in per cent") @Nullable
            Map<String, @Nullable Integer> classFactorsPercent,

            @Schema(description = "In full: the factor of each quality of service in per cent") @Nullable
            Map<String, @Nullable Integer> urgencyFactorsPercent,

            @Schema(description = "In full: the factor of each project in per cent") @Nullable
            Map<String, @Nullable Integer> projectFactorsPercent,

            @Schema(description = "In full: which priority would open which other partitions") @Nullable
            List<@Nullable PartitionReachRequest> reach,

            @Schema(description = "Only this cluster") @Nullable
            String cluster) {}

    @GET
    @Operation(operationId = "showPriorityRules", summary = "How priorities are weighed; version 0 if never set")
    @APIResponse(
            responseCode = "200",
            description = "The rules; their version is the ETag",
            headers = @Header(name = HttpHeaders.ETAG),
            content = @Content(schema = @Schema(implementation = PriorityRulesView.class)))
    public Response show(
            @Context final SecurityContext security,
            @Parameter(description = "Wait for this record first") @HeaderParam(Api.OFFSET)
                    final @Nullable String offset) {
        CallerContext.caller(security);
        writes.await(offset);
        final PriorityRulesState shown = priorities.rules();
        return Response.ok(PriorityRulesView.of(shown))
                .header(HttpHeaders.ETAG, EntityTag.of(shown.version()))
                .build();
    }

    @PUT
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "changePriorityRules", summary = "Asks for other rules of priority; operators only")
    @APIResponse(
            responseCode = "202",
            description = "Asked for; in force once the rules have a new version",
            headers = @Header(name = Api.OFFSET),
            content = @Content(schema = @Schema(implementation = PriorityRulesView.RulesRequestView.class)))
    @APIResponse(
            responseCode = "412",
            description = "Another version is in force",
            content = @Content(mediaType = Problem.MEDIA_TYPE, schema = @Schema(implementation = Problem.class)))
    public Response change(
            @Context final SecurityContext security,
            @Parameter(description = "The ETag that the change is based on; \"0\" where none were ever set")
                    @HeaderParam(HttpHeaders.IF_MATCH)
                    final @Nullable String match,
            final @Nullable PriorityRulesRequest body) {
        final Caller caller = CallerContext.caller(security);
        caller.mustBeOperator(ChangePriority.WHAT);
        final PriorityRulesRequest asked = JobsResource.given(body);
        final ChangePriority.Accepted done =
                change.change(caller, asked.rules(), asked.reason(), EntityTag.version(match));
        return Response.accepted(PriorityRulesView.RulesRequestView.of(done))
                .header(Api.OFFSET, done.at())
                .build();
    }

    @POST
    @Path("/preview")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "previewPriorities",
            summary = "What other rules would change: old and new priority, rank and reach of each job;"
                    + " operators only")
    public RankedJobsView preview(@Context final SecurityContext security, final @Nullable PreviewRequest body) {
        CallerContext.caller(security).mustBeOperator(ChangePriority.WHAT);
        final PreviewRequest asked = JobsResource.given(body);
        final PreviewRules tried = PriorityRulesRequest.tried(asked, priorities.rules().rules());
        final ClusterId cluster =
                asked.cluster() == null ? null : Parameters.read("cluster", asked.cluster(), ClusterId::of);
        return new RankedJobsView(priorities.ranking(cluster, tried).stream()
                .map(RankedJobView::tried)
                .toList());
    }

    @GET
    @Path("/jobs")
    @Operation(
            operationId = "listPriorities",
            summary = "Waiting jobs in the order of their priority, term by term: own ones; operators see all")
    public RankedJobsView jobs(
            @Context final SecurityContext security,
            @Parameter(description = "Only this cluster") @QueryParam("cluster") final @Nullable String cluster,
            @Parameter(description = "Only this user's; of others only for operators") @QueryParam("user")
                    final @Nullable String user) {
        final UserName owner = Parameters.owner(CallerContext.caller(security), user);
        final ClusterId only = cluster == null ? null : Parameters.read("cluster", cluster, ClusterId::of);
        return new RankedJobsView(priorities.ranking(only, PreviewRules.NONE).stream()
                .filter(ranked -> owner == null || ranked.now().job().owner().equals(owner))
                .map(RankedJobView::now)
                .toList());
    }
}
