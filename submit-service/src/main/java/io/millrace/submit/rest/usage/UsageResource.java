package io.millrace.submit.rest.usage;

import io.millrace.model.ClusterId;
import io.millrace.model.ProjectName;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.usage.StoredRun;
import io.millrace.submit.domain.usage.UsageCsv;
import io.millrace.submit.domain.usage.UsageQuery;
import io.millrace.submit.domain.usage.UsageSwf;
import io.millrace.submit.policy.ShowUsage;
import io.millrace.submit.rest.Api;
import io.millrace.submit.rest.CallerContext;
import io.millrace.submit.rest.Parameters;
import io.millrace.submit.rest.ReadYourWrites;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Routes for usage records of ended runs. Users see their own runs, operators all runs. */
@Path("/api/v1/usage")
@Tag(name = "usage")
public class UsageResource {

    private static final int MAX_RUNS = 1_000;

    private final ShowUsage usage;
    private final ReadYourWrites writes;
    private final Clock clock;
    private final ZoneId site;

    UsageResource(
            final ShowUsage usage, final ReadYourWrites writes, final Clock clock, final SubmitSettings settings) {
        this.usage = usage;
        this.writes = writes;
        this.clock = clock;
        this.site = settings.zone();
    }

    /** Query parameters that select runs. */
    public static class UsageParameters {
        @Parameter(
                description =
                        "First day (2026-11-01, in the site's time zone) or instant; default: first day of this month")
        @QueryParam("from")
        @Nullable
        String from;

        @Parameter(description = "Last day, or exclusive instant; default: now")
        @QueryParam("to")
        @Nullable
        String to;

        @Parameter(description = "Only this user; operators may name other users")
        @QueryParam("user")
        @Nullable
        String user;

        @Parameter(description = "Only this project")
        @QueryParam("project")
        @Nullable
        String project;

        @Parameter(description = "Only this cluster")
        @QueryParam("cluster")
        @Nullable
        String cluster;

        @HeaderParam(Api.OFFSET)
        @Nullable
        String offset;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "listUsage", summary = "List runs that ended within a period, ordered by end time")
    public UsageRecordView.Page list(
            @Context final SecurityContext security,
            @BeanParam final UsageParameters parameters,
            @Parameter(description = "Value of 'next' from the previous page") @QueryParam("after")
                    final @Nullable String after,
            @Parameter(
                            description = "Runs per page",
                            schema = @Schema(type = SchemaType.INTEGER, minimum = "1", defaultValue = "500"))
                    @QueryParam("limit")
                    @DefaultValue("500")
                    final String limit) {
        final int most = Parameters.limit(limit, MAX_RUNS);
        final StoredRun.@Nullable Cursor last =
                after == null ? null : Parameters.read("after", after, StoredRun.Cursor::of);
        return UsageRecordView.Page.of(usage.page(query(security, parameters), last, most), most);
    }

    @GET
    @Path("/csv")
    @Produces("text/csv; charset=UTF-8")
    @Operation(operationId = "exportUsageCsv", summary = "Export all runs as CSV; times are UTC")
    @APIResponse(
            responseCode = "200",
            description = "A header line, then one line per run",
            content = @Content(schema = @Schema(type = SchemaType.STRING)))
    public StreamingOutput csv(@Context final SecurityContext security, @BeanParam final UsageParameters parameters) {
        final UsageQuery query = query(security, parameters);
        return out -> {
            final Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
            text.write(UsageCsv.HEADER);
            text.flush();
            usage.each(query, run -> text.write(UsageCsv.line(run)));
            text.flush();
        };
    }

    @GET
    @Path("/swf")
    @Produces("text/plain; charset=UTF-8")
    @Operation(
            operationId = "exportUsageSwf",
            summary = "Export all runs in the Standard Workload Format; comments define names")
    @APIResponse(
            responseCode = "200",
            description = "A header, then one line per run",
            content = @Content(schema = @Schema(type = SchemaType.STRING)))
    public StreamingOutput swf(@Context final SecurityContext security, @BeanParam final UsageParameters parameters) {
        final UsageQuery query = query(security, parameters);
        return out -> {
            final Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
            text.write(UsageSwf.header(site));
            text.flush();
            final UsageSwf lines = new UsageSwf();
            usage.each(query, run -> text.write(lines.next(run)));
            text.flush();
        };
    }

    private UsageQuery query(final SecurityContext security, final UsageParameters parameters) {
        final Caller caller = CallerContext.caller(security);
        final Instant now = clock.instant();
        final Instant from = parameters.from == null
                ? UsageQuery.monthOf(now, site)
                : Parameters.read("from", parameters.from, text -> UsageQuery.beginning(text, site));
        final Instant until =
                parameters.to == null ? now : Parameters.read("to", parameters.to, text -> UsageQuery.end(text, site));
        if (!from.isBefore(until)) {
            throw RequestRefused.invalid("to", "must be later than 'from' (" + from + "), got " + until);
        }
        final UsageQuery query = new UsageQuery(
                Parameters.owner(caller, parameters.user),
                parameters.project == null ? null : Parameters.read("project", parameters.project, ProjectName::of),
                parameters.cluster == null ? null : Parameters.read("cluster", parameters.cluster, ClusterId::of),
                from,
                until);
        writes.await(security, parameters.offset);
        return query;
    }
}
