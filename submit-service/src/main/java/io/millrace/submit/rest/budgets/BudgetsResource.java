package io.millrace.submit.rest.budgets;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.policy.BudgetBalances;
import io.millrace.submit.policy.ChangeBudget;
import io.millrace.submit.policy.ShowBudgets;
import io.millrace.submit.policy.ShowQuotas;
import io.millrace.submit.rest.Api;
import io.millrace.submit.rest.CallerContext;
import io.millrace.submit.rest.EntityTag;
import io.millrace.submit.rest.Parameters;
import io.millrace.submit.rest.ReadYourWrites;
import io.millrace.submit.rest.Responses;
import io.millrace.submit.rest.jobs.JobsResource;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Routes for budgets and limits of processor time. The version of what is set for a holder is its ETag. */
@Path("/api/v1/budgets")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "budgets")
public class BudgetsResource {

    private static final String HOLDER = "A user, project:NAME, group:NAME, or * for the default of users";

    private final ShowBudgets budgets;
    private final ShowQuotas quotas;
    private final ChangeBudget change;
    private final ReadYourWrites writes;

    BudgetsResource(
            final ShowBudgets budgets,
            final ShowQuotas quotas,
            final ChangeBudget change,
            final ReadYourWrites writes) {
        this.budgets = budgets;
        this.quotas = quotas;
        this.change = change;
        this.writes = writes;
    }

    /** Budgets by holder. */
    @Schema(name = "Budgets")
    public record BudgetsView(List<BudgetView> budgets) {}

    /** A waiting job that a change would hold. */
    @Schema(name = "BudgetHeldJob")
    public record HeldJobView(
            String localJob, String user, @Nullable String project, int cores, double coreHours) {
        private static HeldJobView of(final JobObserved job) {
            return new HeldJobView(
                    job.job().id().toString(),
                    job.owner().value(),
                    Objects.toString(job.project(), null),
                    job.resources().cores(),
                    job.walltime() == null
                            ? 0
                            : BudgetView.hours(
                                    job.resources().cores() * job.walltime().toSeconds()));
        }
    }

    /** The effect of a change on waiting jobs. */
    @Schema(name = "BudgetPreview")
    public record PreviewView(
            @Schema(description = "Jobs that wait in queues of clusters, oldest first, and would be held")
            List<HeldJobView> held) {}

    @GET
    @Operation(
            operationId = "listBudgets",
            summary = "List budgets and limits of processor time with what is left. Users see their own and those of"
                    + " their projects and groups, operators all")
    public BudgetsView list(
            @Context final SecurityContext security,
            @Parameter(description = "Only this user; operators may name other users") @QueryParam("user")
                    final @Nullable String user,
            @HeaderParam(Api.OFFSET) final @Nullable String offset) {
        final Caller caller = CallerContext.caller(security);
        final var owner = Parameters.owner(caller, user);
        writes.await(security, offset);
        final BudgetBalances all = budgets.balances();
        final Set<String> shown = new TreeSet<>();
        if (owner != null) {
            shown.add(owner.value());
        }
        for (final BudgetSet set : all.sets()) {
            final QuotaHolder holder = set.holder();
            if (owner == null) {
                shown.add(holder == null ? Quota.EVERYWHERE : holder.toString());
            } else if (holder != null
                    && holder.kind() != QuotaHolder.Kind.USER
                    && (caller.user().equals(owner)
                            ? quotas.maySee(caller, holder)
                            : all.holders(owner, null).contains(holder))) {
                shown.add(holder.toString());
            }
        }
        return new BudgetsView(
                shown.stream().map(name -> BudgetView.of(holder(name), all)).toList());
    }

    @GET
    @Path("/{holder}")
    @Operation(
            operationId = "showBudget",
            summary = "Show a budget with what is left; version 0 if never set. Users see their own and those of their"
                    + " projects and groups, operators all")
    @APIResponse(
            responseCode = "200",
            description = "The budget with its version as ETag",
            headers = @Header(name = HttpHeaders.ETAG, ref = HttpHeaders.ETAG),
            content = @Content(schema = @Schema(implementation = BudgetView.class)))
    public Response show(
            @Context final SecurityContext security,
            @Parameter(description = HOLDER) @PathParam("holder") final String name,
            @HeaderParam(Api.OFFSET) final @Nullable String offset) {
        final Caller caller = CallerContext.caller(security);
        final QuotaHolder holder = holder(name);
        if (holder == null ? !caller.operator() : !quotas.maySee(caller, holder)) {
            throw RequestRefused.notFound("budget of '" + name + "' not found");
        }
        writes.await(security, offset);
        final BudgetView view = BudgetView.of(holder, budgets.balances());
        return Responses.versioned(view, view.version());
    }

    @PUT
    @Path("/{holder}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "changeBudget",
            summary = "Request a change of a budget and limit of processor time; operators only",
            description = "It replaces all that was set for the holder before, by a request or by the files of"
                    + " quota-service, and takes effect without a restart.")
    @APIResponse(
            responseCode = "202",
            description = "Requested; in force when the budget has a new version",
            content = @Content(schema = @Schema(implementation = BudgetView.RequestedView.class)))
    @APIResponse(responseCode = "412", description = "Another version is in force")
    public Response change(
            @Context final SecurityContext security,
            @Parameter(description = HOLDER) @PathParam("holder") final String name,
            @Parameter(description = "ETag of the version that the change is based on; \"0\" if never set")
                    @HeaderParam(HttpHeaders.IF_MATCH)
                    final @Nullable String match,
            final @Nullable BudgetRequest body) {
        final Caller caller = CallerContext.caller(security);
        caller.requireOperator(ChangeBudget.WHAT);
        final BudgetRequest requested = JobsResource.requireBody(body);
        return accepted(
                change.change(caller, requested.change(holder(name)), requested.reason(), EntityTag.version(match)));
    }

    @POST
    @Path("/{holder}/preview")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "previewBudget",
            summary = "Preview a change: the waiting jobs that it would hold; operators only")
    @APIResponse(
            responseCode = "200",
            description = "The jobs",
            content = @Content(schema = @Schema(implementation = PreviewView.class)))
    public PreviewView preview(
            @Context final SecurityContext security,
            @Parameter(description = HOLDER) @PathParam("holder") final String name,
            final @Nullable BudgetRequest body) {
        final Caller caller = CallerContext.caller(security);
        caller.requireOperator(ChangeBudget.WHAT);
        return new PreviewView(
                change.preview(caller, JobsResource.requireBody(body).change(holder(name))).stream()
                        .map(HeldJobView::of)
                        .toList());
    }

    @DELETE
    @Path("/{holder}")
    @Operation(
            operationId = "removeBudget",
            summary = "Request the removal of what a request has set; operators only",
            description = "The files of quota-service then apply to the holder again, and to a user that they do not"
                    + " name the default.")
    @APIResponse(
            responseCode = "202",
            description = "Requested; done when the budget has another version",
            content = @Content(schema = @Schema(implementation = BudgetView.RequestedView.class)))
    @APIResponse(responseCode = "412", description = "Another version is in force")
    public Response remove(
            @Context final SecurityContext security,
            @Parameter(description = HOLDER) @PathParam("holder") final String name,
            @Parameter(description = "Reason, kept for audit", required = true) @QueryParam("reason")
                    final @Nullable String reason,
            @Parameter(description = "ETag of the version that is removed") @HeaderParam(HttpHeaders.IF_MATCH)
                    final @Nullable String match) {
        final Caller caller = CallerContext.caller(security);
        caller.requireOperator(ChangeBudget.WHAT);
        return accepted(change.remove(caller, holder(name), reason, EntityTag.version(match)));
    }

    private static Response accepted(final ChangeBudget.Accepted done) {
        return Responses.accepted(BudgetView.RequestedView.of(done.request()), done.position())
                .build();
    }

    private static @Nullable QuotaHolder holder(final String name) {
        return name.equals(Quota.EVERYWHERE) ? null : Parameters.read("holder", name, QuotaHolder::of);
    }
}
