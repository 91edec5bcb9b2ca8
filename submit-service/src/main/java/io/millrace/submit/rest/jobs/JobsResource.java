package io.millrace.submit.rest.jobs;

import io.millrace.model.GlobalJobId;
import io.millrace.model.job.JobSpec;
import io.millrace.submit.AlterJob;
import io.millrace.submit.DryRunJob;
import io.millrace.submit.ExplainJob;
import io.millrace.submit.HoldJob;
import io.millrace.submit.ReadModel;
import io.millrace.submit.StopJob;
import io.millrace.submit.SubmitJob;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.JobCount;
import io.millrace.submit.domain.job.JobFilter;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.submission.JobAlteration;
import io.millrace.submit.domain.submission.JobRequest;
import io.millrace.submit.domain.submission.NamedJobs;
import io.millrace.submit.limits.WaitingPlaces;
import io.millrace.submit.rest.Api;
import io.millrace.submit.rest.CallerContext;
import io.millrace.submit.rest.Parameters;
import io.millrace.submit.rest.ReadYourWrites;
import io.millrace.submit.rest.Responses;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Global jobs. */
@Path("/api/v1/jobs")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "jobs")
public class JobsResource {

    private final SubmitJob submit;
    private final DryRunJob dryRuns;
    private final StopJob stop;
    private final HoldJob hold;
    private final AlterJob alter;
    private final ReadModel model;
    private final ExplainJob explain;
    private final ReadYourWrites writes;
    private final WaitingPlaces places;
    private final SubmitSettings settings;

    JobsResource(
            final SubmitJob submit,
            final DryRunJob dryRuns,
            final StopJob stop,
            final HoldJob hold,
            final AlterJob alter,
            final ReadModel model,
            final ExplainJob explain,
            final ReadYourWrites writes,
            final WaitingPlaces places,
            final SubmitSettings settings) {
        this.submit = submit;
        this.dryRuns = dryRuns;
        this.stop = stop;
        this.hold = hold;
        this.alter = alter;
        this.model = model;
        this.explain = explain;
        this.writes = writes;
        this.places = places;
        this.settings = settings;
    }

    /** A page of jobs. */
    @Schema(name = "Jobs")
    public record JobsView(
            List<JobView> jobs,

            @Schema(description = "Cursor for 'after' on the next page; absent on the last page") @Nullable
            String next) {}

    /** The number of jobs in each state. */
    @Schema(name = "JobCounts")
    public record JobCountsView(List<JobCountView> counts) {}

    /** The number of jobs in one state. */
    @Schema(name = "JobCount")
    public record JobCountView(@Schema(ref = "JobState") String state, long jobs) {

        static JobCountView of(final JobCount count) {
            return new JobCountView(count.state().word(), count.jobs());
        }
    }

    /** The request to hold a job. */
    @Schema(name = "HoldRequest")
    public record HoldRequest(@Nullable String reason) {}

    /** New properties of a job. */
    @Schema(name = "AlterRequest")
    public record AlterRequest(
            @Nullable String name,

            @Schema(description = "Minutes, [D-]HH:MM:SS or ISO 8601") @Nullable
            String walltime,

            @Schema(description = "Total number of cores") @Nullable
            Integer cores,

            @Nullable String partition,

            @Schema(description = "Order among the waiting jobs of its user, -1024 to 1023: higher first") @Nullable
            Integer priority,

            @Schema(
                    description =
                            "Jobs or batches that must end before the job is placed, as of sbatch --dependency; 'none'"
                                    + " removes the dependency")
            @Nullable
            String dependency) {

        JobAlteration validated(final JobSpec spec, final NamedJobs jobs) {
            return JobAlteration.validate(spec, name, walltime, cores, partition, priority, dependency, jobs);
        }
    }

    /** The request to stop a job. */
    @Schema(name = "StopRequest")
    public record StopRequest(@Nullable String reason) {}

    @POST
    @RunOnVirtualThread // waits for the broker
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "submitJob", summary = "Submit a job")
    @APIResponse(
            responseCode = "202",
            description = "Accepted; the job will reach a final state",
            headers = @Header(name = HttpHeaders.LOCATION, ref = HttpHeaders.LOCATION),
            content = @Content(schema = @Schema(implementation = JobView.class)))
    public Response submit(
            @Context final SecurityContext security,
            @Parameter(
                            description =
                                    "Requests with the same key and body create one job; another body with a used key"
                                            + " is refused. Repeat a request that got 503 with the same key")
                    @HeaderParam("Idempotency-Key")
                    final @Nullable String key,
            final @Nullable JobRequest body) {
        final Caller caller = CallerContext.caller(security);
        final SubmitJob.Accepted accepted = submit.submit(caller, requireBody(body), key);
        final GlobalJobId id = accepted.job().stored().job().id();
        return Responses.accepted(JobView.submitted(accepted.job(), accepted.notes()), accepted.position())
                .location(URI.create("/api/v1/jobs/" + id))
                .build();
    }

    @POST
    @Path("/dry-run")
    @RunOnVirtualThread // waits for agents
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "dryRunJob",
            summary = "Show how each cluster (or only 'target') would run the job: command line, script and ignored"
                    + " options; nothing is submitted")
    @APIResponse(
            responseCode = "200",
            description = "The job, and what each cluster would run",
            content = @Content(schema = @Schema(implementation = DryRunView.class)))
    public DryRunView dryRun(@Context final SecurityContext security, final @Nullable JobRequest body) {
        final Caller caller = CallerContext.caller(security);
        final JobRequest request = requireBody(body);
        return DryRunView.of(places.waiting(caller.user(), () -> dryRuns.dryRun(caller, request)));
    }

    @GET
    @Operation(
            operationId = "listJobs",
            summary = "List jobs, newest first. Users see their own jobs, operators all jobs")
    public JobsView list(
            @Context final SecurityContext security,
            @BeanParam final JobSelection selection,
            @Parameter(
                            description = "Jobs per page",
                            schema = @Schema(type = SchemaType.INTEGER, minimum = "1", defaultValue = "100"))
                    @QueryParam("limit")
                    @DefaultValue("100")
                    final String limit,
            @Parameter(description = "Last id of the previous page") @QueryParam("after") final @Nullable String after,
            @Parameter(
                            description =
                                    "Show the jobs of a batch as one, with their number in each state ('tasks'). The"
                                            + " other fields are those of the job with the lowest index")
                    @QueryParam("collapse")
                    @DefaultValue("false")
                    final boolean collapse,
            @HeaderParam(Api.OFFSET) final @Nullable String offset) {
        final Caller caller = CallerContext.caller(security);
        final JobFilter filter = selection.filter(
                caller,
                model,
                settings.zone(),
                after == null ? null : Parameters.read("after", after, GlobalJobId::of),
                Parameters.limit(limit, SubmitSettings.MAX_PAGE));
        writes.await(security, offset);
        model.awaitSubmissions();
        final List<JobView> jobs = collapse
                ? model.numbered(filter).stream().map(JobView::ofNumber).toList()
                : model.jobs(filter).stream().map(JobView::brief).toList();
        return new JobsView(
                jobs, jobs.size() < filter.limit() ? null : jobs.getLast().id());
    }

    @GET
    @Path("/counts")
    @Operation(operationId = "countJobs", summary = "Count jobs by state")
    public JobCountsView counts(
            @Context final SecurityContext security,
            @BeanParam final JobSelection selection,
            @HeaderParam(Api.OFFSET) final @Nullable String offset) {
        final JobFilter filter = selection.filter(CallerContext.caller(security), model, settings.zone(), null, 1);
        writes.await(security, offset);
        model.awaitSubmissions();
        return new JobCountsView(
                model.counts(filter).stream().map(JobCountView::of).toList());
    }

    @GET
    @Path("/{id}")
    @Operation(
            operationId = "showJob",
            summary = "Show a job by number, id, unique prefix, or cluster/id of its local job")
    public JobView show(
            @Context final SecurityContext security,
            @PathParam("id") final String id,
            @HeaderParam(Api.OFFSET) final @Nullable String offset) {
        writes.await(security, offset);
        return JobView.full(model.job(CallerContext.caller(security), id));
    }

    @GET
    @Path("/{id}/why")
    @Operation(
            operationId = "whyJob",
            summary = "Explain the state of a job: decisions with service and reason, and refusals")
    public WhyView why(@Context final SecurityContext security, @PathParam("id") final String id) {
        final var evidence = explain.global(CallerContext.caller(security), id);
        return WhyView.of(Objects.requireNonNull(evidence.global()).job().key(), evidence);
    }

    @POST
    @Path("/{id}/stop")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "stopJob", summary = "Request the stop of a job in any state")
    @APIResponse(
            responseCode = "202",
            description = "Requested",
            content = @Content(schema = @Schema(implementation = JobView.class)))
    @APIResponse(responseCode = "409", description = "The job has ended already")
    public Response stop(
            @Context final SecurityContext security,
            @PathParam("id") final String id,
            final @Nullable StopRequest body) {
        final Caller caller = CallerContext.caller(security);
        final StopJob.Accepted accepted = stop.stop(caller, id, body == null ? null : body.reason());
        return Responses.accepted(
                        JobView.brief(model.job(caller, accepted.stop().job().value())), accepted.position())
                .build();
    }

    @POST
    @Path("/{id}/hold")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "holdJob",
            summary = "Keep a job from starting until it is released. It is not placed on a cluster, or is held in its"
                    + " queue")
    @APIResponse(
            responseCode = "202",
            description = "Requested",
            content = @Content(schema = @Schema(implementation = JobView.class)))
    @APIResponse(responseCode = "409", description = "The job has started or ended already")
    public Response hold(
            @Context final SecurityContext security,
            @PathParam("id") final String id,
            final @Nullable HoldRequest body) {
        final Caller caller = CallerContext.caller(security);
        return requested(caller, id, hold.hold(caller, id, body == null ? null : body.reason()));
    }

    @POST
    @Path("/{id}/release")
    @Operation(
            operationId = "releaseJob",
            summary = "Release a held job. Only operators release a job that an operator has held")
    @APIResponse(
            responseCode = "202",
            description = "Requested",
            content = @Content(schema = @Schema(implementation = JobView.class)))
    @APIResponse(
            responseCode = "409",
            description = "The job has ended already, or was held with the commands of its cluster")
    public Response release(@Context final SecurityContext security, @PathParam("id") final String id) {
        final Caller caller = CallerContext.caller(security);
        return requested(caller, id, hold.release(caller, id));
    }

    @POST
    @Path("/{id}/alter")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "alterJob",
            summary =
                    "Change properties of a job that waits for a cluster, or walltime, name and cores of a placed job."
                            + " Fields that are absent stay as they are")
    @APIResponse(
            responseCode = "202",
            description = "Requested; the response shows the job with the change, unless it takes longer than 2 s",
            content = @Content(schema = @Schema(implementation = JobView.class)))
    @APIResponse(responseCode = "409", description = "The job has ended, or its cluster does not allow the change")
    public Response alter(
            @Context final SecurityContext security,
            @PathParam("id") final String id,
            final @Nullable AlterRequest body) {
        final Caller caller = CallerContext.caller(security);
        final AlterRequest change = requireBody(body);
        return requested(
                caller,
                id,
                alter.alter(caller, id, job -> change.validated(job.submission().spec(), model.namedBy(caller))));
    }

    private Response requested(final Caller caller, final String id, final LogPosition at) {
        return Responses.accepted(JobView.brief(model.job(caller, id)), at).build();
    }

    public static <T> T requireBody(final @Nullable T body) {
        if (body == null) {
            throw new RequestRefused(RequestRefused.Kind.MALFORMED, "the body is missing; send a JSON object");
        }
        return body;
    }
}
