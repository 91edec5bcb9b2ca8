package io.millrace.submit.rest.quotas;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.policy.QuotaState;
import io.millrace.submit.policy.ChangeQuota;
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
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Routes for quotas. The version of a quota is its ETag. */
@Path("/api/v1/quotas")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "quotas")
public class QuotasResource {

    private final ShowQuotas quotas;
    private final ChangeQuota change;
    private final ReadYourWrites writes;

    QuotasResource(final ShowQuotas quotas, final ChangeQuota change, final ReadYourWrites writes) {
        this.quotas = quotas;
        this.change = change;
        this.writes = writes;
    }

    /** Quotas by cluster and user. */
    @Schema(name = "Quotas")
    public record QuotasView(
            List<QuotaView> quotas,

            @Schema(description = "Quotas of unknown clusters; empty unless the caller is an operator")
            List<String> warnings) {}

    @GET
    @Operation(
            operationId = "listQuotas",
            summary = "List quotas with usage. Users see their own quotas, operators all quotas")
    public QuotasView list(
            @Context final SecurityContext security,
            @Parameter(description = "Only this user; operators may name other users") @QueryParam("user")
                    final @Nullable String user,
            @HeaderParam(Api.OFFSET) final @Nullable String offset) {
        final Caller caller = CallerContext.caller(security);
        final UserName owner = Parameters.owner(caller, user);
        writes.await(security, offset);
        final QuotaHolder holder = owner == null ? null : QuotaHolder.of(owner);
        return new QuotasView(
                quotas.quotas(holder).stream().map(QuotaView::of).toList(),
                caller.operator() ? quotas.warnings() : List.of());
    }

    @GET
    @Path("/{cluster}/{user}")
    @Operation(
            operationId = "showQuota",
            summary = "Show a quota; version 0 if never set. Users see their own quotas and those of their projects"
                    + " and groups, operators all quotas")
    @APIResponse(
            responseCode = "200",
            description = "The quota with its version as ETag",
            headers = @Header(name = HttpHeaders.ETAG, ref = HttpHeaders.ETAG),
            content = @Content(schema = @Schema(implementation = QuotaView.class)))
    public Response show(
            @Context final SecurityContext security,
            @Parameter(description = "A cluster, or * for all clusters together") @PathParam("cluster")
                    final String cluster,
            @Parameter(description = "A user, project:NAME or group:NAME") @PathParam("user") final String user,
            @HeaderParam(Api.OFFSET) final @Nullable String offset) {
        final Caller caller = CallerContext.caller(security);
        final QuotaHolder holder = Parameters.read("user", user, QuotaHolder::of);
        if (!quotas.maySee(caller, holder)) {
            throw RequestRefused.notFound("quota of '" + holder + "' not found");
        }
        final ClusterId on = on(cluster);
        writes.await(security, offset);
        final QuotaState shown = quotas.quota(on, holder);
        return Responses.versioned(QuotaView.of(shown), shown.version());
    }

    @PUT
    @Path("/{cluster}/{user}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "changeQuota", summary = "Request a quota change; operators only")
    @APIResponse(
            responseCode = "202",
            description = "Requested; in force when the quota has a new version",
            content = @Content(schema = @Schema(implementation = QuotaView.QuotaRequestView.class)))
    @APIResponse(responseCode = "412", description = "Another version is in force")
    public Response change(
            @Context final SecurityContext security,
            @Parameter(description = "A cluster, or * for all clusters together") @PathParam("cluster")
                    final String cluster,
            @Parameter(description = "A user, project:NAME or group:NAME") @PathParam("user") final String user,
            @Parameter(description = "ETag of the version that the change is based on; \"0\" if never set")
                    @HeaderParam(HttpHeaders.IF_MATCH)
                    final @Nullable String match,
            final @Nullable QuotaRequest body) {
        final Caller caller = CallerContext.caller(security);
        caller.requireOperator(ChangeQuota.WHAT);
        final QuotaRequest requested = JobsResource.requireBody(body);
        final ChangeQuota.Accepted done = change.change(
                caller,
                new ChangeQuota.QuotaChange(
                        on(cluster),
                        Parameters.read("user", user, QuotaHolder::of),
                        requested.cores(),
                        requested.terms(),
                        requested.reason(),
                        EntityTag.version(match)));
        return Responses.accepted(QuotaView.QuotaRequestView.of(done.request(), done.warnings()), done.position())
                .build();
    }

    @DELETE
    @Path("/{cluster}/{user}")
    @Operation(
            operationId = "removeQuota",
            summary = "Request the removal of a quota; operators only",
            description = "The default quota then applies to a user; a project or group is not limited any more."
                    + " Quotas from the quota file are removed there.")
    @APIResponse(
            responseCode = "202",
            description = "Requested; done when the quota has version 0",
            content = @Content(schema = @Schema(implementation = QuotaView.QuotaRequestView.class)))
    @APIResponse(responseCode = "412", description = "Another version is in force")
    public Response remove(
            @Context final SecurityContext security,
            @Parameter(description = "A cluster, or * for all clusters together") @PathParam("cluster")
                    final String cluster,
            @Parameter(description = "A user, project:NAME or group:NAME") @PathParam("user") final String user,
            @Parameter(description = "Reason, kept for audit", required = true) @QueryParam("reason")
                    final @Nullable String reason,
            @Parameter(description = "ETag of the version that is removed") @HeaderParam(HttpHeaders.IF_MATCH)
                    final @Nullable String match) {
        final Caller caller = CallerContext.caller(security);
        caller.requireOperator(ChangeQuota.WHAT);
        final ChangeQuota.Accepted done = change.remove(
                caller, on(cluster), Parameters.read("user", user, QuotaHolder::of), reason, EntityTag.version(match));
        return Responses.accepted(QuotaView.QuotaRequestView.of(done.request(), done.warnings()), done.position())
                .build();
    }

    private static @Nullable ClusterId on(final String cluster) {
        return cluster.equals(Quota.EVERYWHERE) ? null : Parameters.read("cluster", cluster, ClusterId::of);
    }
}
