package io.millrace.submit.rest.usage;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.submit.domain.usage.LedgerPosting;
import io.millrace.submit.domain.usage.StatementQuery;
import io.millrace.submit.policy.ShowStatement;
import io.millrace.submit.rest.Api;
import io.millrace.submit.rest.CallerContext;
import io.millrace.submit.rest.Parameters;
import io.millrace.submit.rest.ReadYourWrites;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Routes for ledger statements. Users see their own postings, operators all postings. */
@Path("/api/v1/statements")
@Tag(name = "statements")
public class StatementsResource {

    private static final int MAX_LINES = 10_000;

    private final ShowStatement statements;
    private final ReadYourWrites writes;

    StatementsResource(final ShowStatement statements, final ReadYourWrites writes) {
        this.statements = statements;
        this.writes = writes;
    }

    @GET
    @Path("/{period}")
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "showStatement",
            summary = "Show the cost of ended runs within a period by user, project and cluster")
    public StatementView show(
            @Context final SecurityContext security,
            @Parameter(description = "2026-W47, 2026-11 or 2026") @PathParam("period") final String period,
            @Parameter(description = "Only this user; operators may name other users") @QueryParam("user")
                    final @Nullable String user,
            @Parameter(description = "Only this project") @QueryParam("project") final @Nullable String project,
            @HeaderParam(Api.OFFSET) final @Nullable String offset) {
        final StatementQuery query = query(security, period, user, project);
        writes.await(security, offset);
        return StatementView.of(period, statements.statement(query));
    }

    @GET
    @Path("/{period}/postings")
    @Produces("text/csv; charset=UTF-8")
    @Operation(operationId = "exportPostings", summary = "Export the postings of a statement as CSV, ordered by time")
    @APIResponse(
            responseCode = "200",
            description = "A header line, then one line per posting",
            headers = @Header(name = Api.NEXT, ref = Api.NEXT),
            content = @Content(schema = @Schema(type = SchemaType.STRING)))
    public Response postings(
            @Context final SecurityContext security,
            @Parameter(description = "2026-W47, 2026-11 or 2026") @PathParam("period") final String period,
            @Parameter(description = "Only this user; operators may name other users") @QueryParam("user")
                    final @Nullable String user,
            @Parameter(description = "Only this project") @QueryParam("project") final @Nullable String project,
            @Parameter(description = "Millrace-Next of the previous page") @QueryParam("after")
                    final @Nullable String after,
            @Parameter(
                            description = "Postings per page",
                            schema = @Schema(type = SchemaType.INTEGER, minimum = "1", defaultValue = "10000"))
                    @QueryParam("limit")
                    @DefaultValue("10000")
                    final String limit,
            @HeaderParam(Api.OFFSET) final @Nullable String offset) {
        final StatementQuery query = query(security, period, user, project);
        final LedgerPosting.Cursor last =
                after == null ? null : Parameters.read("after", after, LedgerPosting.Cursor::of);
        final int most = Parameters.limit(limit, MAX_LINES);
        writes.await(security, offset);
        final List<LedgerPosting> postings = statements.lines(query, last, most);
        final Response.ResponseBuilder response = Response.ok(PostingsCsv.of(postings));
        if (postings.size() == most) {
            response.header(Api.NEXT, postings.getLast().cursor());
        }
        return response.build();
    }

    private static StatementQuery query(
            final SecurityContext security,
            final String period,
            final @Nullable String user,
            final @Nullable String project) {
        final UserName owner = Parameters.owner(CallerContext.caller(security), user);
        final ProjectName of = project == null ? null : Parameters.read("project", project, ProjectName::of);
        return Parameters.read("period", period, text -> StatementQuery.of(owner, of, text));
    }
}
