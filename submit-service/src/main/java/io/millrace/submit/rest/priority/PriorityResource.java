package io.millrace.submit.rest.priority;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.job.JobNumber;
import io.millrace.submit.ReadModel;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.policy.JobRanking.Ranked;
import io.millrace.submit.domain.policy.PreviewRules;
import io.millrace.submit.domain.policy.PriorityRulesState;
import io.millrace.submit.policy.ChangePriority;
import io.millrace.submit.policy.ShowPriorities;
import io.millrace.submit.rest.Api;
import io.millrace.submit.rest.CallerContext;
import io.millrace.submit.rest.EntityTag;
import io.millrace.submit.rest.Parameters;
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
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Routes for priority rules and the resulting order of waiting jobs. The version of the rules is their ETag. */
@Path("/api/v1/priority")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "priority")
public class PriorityResource {

    private final ShowPriorities priorities;
    private final ChangePriority change;
    private final ReadModel model;
    private final ReadYourWrites writes;

    PriorityResource(
            final ShowPriorities priorities,
            final ChangePriority change,
            final ReadModel model,
            final ReadYourWrites writes) {
        this.priorities = priorities;
        this.change = change;
        this.model = model;
        this.writes = writes;
    }

    /** Waiting jobs in order. */
    @Schema(name = "RankedJobs")
    public record RankedJobsView(List<RankedJobView> jobs) {}

    /** Rules for a preview. */
    @Schema(name = "PriorityPreview")
    public record PreviewRequest(
            @Schema(description = "Terms that are not named keep their weight") @Nullable
            Map<String, @Nullable Integer> weights,

            @Schema(examples = "PT168H", description = "Absent, here and below: as in force") @Nullable
            String maxAge,

            @Schema(description = "All factors by class in percent") @Nullable
            Map<String, @Nullable Integer> classFactorsPercent,

            @Schema(description = "All factors by quality of service in percent") @Nullable
            Map<String, @Nullable Integer> urgencyFactorsPercent,

            @Schema(description = "All factors by project in percent") @Nullable
            Map<String, @Nullable Integer> projectFactorsPercent,

            @Schema(description = "All rules that open other partitions from a priority on") @Nullable
            List<@Nullable PartitionOverflowRequest> overflow,

            @Schema(description = "Only this cluster") @Nullable
            String cluster) {}

    @GET
    @Operation(operationId = "showPriorityRules", summary = "Show the priority rules; version 0 if never set")
    @APIResponse(
            responseCode = "200",
            description = "The rules with their version as ETag",
            headers = @Header(name = HttpHeaders.ETAG, ref = HttpHeaders.ETAG),
            content = @Content(schema = @Schema(implementation = PriorityRulesView.class)))
    public Response show(
            @Context final SecurityContext security, @HeaderParam(Api.OFFSET) final @Nullable String offset) {
        CallerContext.caller(security);
        writes.await(security, offset);
        final PriorityRulesState shown = priorities.rules();
        return Responses.versioned(PriorityRulesView.of(shown), shown.version());
    }

    @PUT
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "changePriorityRules", summary = "Request a change of the priority rules; operators only")
    @APIResponse(
            responseCode = "202",
            description = "Requested; in force when the rules have a new version",
            content = @Content(schema = @Schema(implementation = PriorityRulesView.RulesRequestView.class)))
    @APIResponse(responseCode = "412", description = "Another version is in force")
    public Response change(
            @Context final SecurityContext security,
            @Parameter(description = "ETag of the version that the change is based on; \"0\" if never set")
                    @HeaderParam(HttpHeaders.IF_MATCH)
                    final @Nullable String match,
            final @Nullable PriorityRulesRequest body) {
        final Caller caller = CallerContext.caller(security);
        caller.requireOperator(ChangePriority.WHAT);
        final PriorityRulesRequest requested = JobsResource.requireBody(body);
        final ChangePriority.Accepted done =
                change.change(caller, requested.rules(), requested.reason(), EntityTag.version(match));
        return Responses.accepted(PriorityRulesView.RulesRequestView.of(done), done.position())
                .build();
    }

    @POST
    @Path("/preview")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "previewPriorities",
            summary = "Preview other rules: current and new priority, rank and partitions of each waiting job;"
                    + " operators only")
    @APIResponse(
            responseCode = "200",
            description = "The waiting jobs in their new order",
            content = @Content(schema = @Schema(implementation = RankedJobsView.class)))
    public RankedJobsView preview(@Context final SecurityContext security, final @Nullable PreviewRequest body) {
        CallerContext.caller(security).requireOperator(ChangePriority.WHAT);
        final PreviewRequest requested = JobsResource.requireBody(body);
        final PreviewRules preview =
                PriorityRulesRequest.previewRules(requested, priorities.rules().rules());
        final ClusterId cluster =
                requested.cluster() == null ? null : Parameters.read("cluster", requested.cluster(), ClusterId::of);
        return shown(priorities.ranking(cluster, preview), RankedJobView::preview);
    }

    @GET
    @Path("/jobs")
    @Operation(
            operationId = "listPriorities",
            summary =
                    "List waiting jobs by priority with the terms of the priority. Users see their own jobs, operators"
                            + " all jobs")
    public RankedJobsView jobs(
            @Context final SecurityContext security,
            @Parameter(description = "Only this cluster") @QueryParam("cluster") final @Nullable String cluster,
            @Parameter(description = "Only this user; operators may name other users") @QueryParam("user")
                    final @Nullable String user) {
        final UserName owner = Parameters.owner(CallerContext.caller(security), user);
        final ClusterId only = cluster == null ? null : Parameters.read("cluster", cluster, ClusterId::of);
        return shown(
                priorities.ranking(only, PreviewRules.NONE).stream()
                        .filter(ranked ->
                                owner == null || ranked.current().job().owner().equals(owner))
                        .toList(),
                RankedJobView::now);
    }

    private RankedJobsView shown(
            final List<Ranked> jobs, final BiFunction<Ranked, Map<GlobalJobId, JobNumber>, RankedJobView> view) {
        final Map<GlobalJobId, JobNumber> numbers = model.numbers(jobs.stream()
                .map(ranked -> ranked.current().job().attempt())
                .filter(Objects::nonNull)
                .map(AttemptId::job)
                .toList());
        return new RankedJobsView(
                jobs.stream().map(job -> view.apply(job, numbers)).toList());
    }
}
