package io.millrace.submit.rest.clusters;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.submit.ExplainJob;
import io.millrace.submit.clusters.ShowClusters;
import io.millrace.submit.clusters.ShowSchedule;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.rest.CallerContext;
import io.millrace.submit.rest.Parameters;
import io.millrace.submit.rest.jobs.LocalJobView;
import io.millrace.submit.rest.jobs.WhyView;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Routes for clusters and the jobs in their queues. */
@Path("/api/v1")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "clusters")
public class ClustersResource {

    private final ShowClusters clusters;
    private final ShowSchedule schedule;
    private final ExplainJob explain;
    private final Clock clock;

    ClustersResource(
            final ShowClusters clusters, final ShowSchedule schedule, final ExplainJob explain, final Clock clock) {
        this.clusters = clusters;
        this.schedule = schedule;
        this.explain = explain;
        this.clock = clock;
    }

    /** All clusters. */
    @Schema(name = "Clusters")
    public record ClustersView(List<ClusterInfo> clusters) {}

    /** A page of a queue. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "Queue")
    public record QueueView(
            List<LocalJobView> jobs,

            @Schema(description = "Number of other users' jobs by state; empty for operators, who see all jobs")
            Map<String, ClusterInfo.CountView> others,

            @Schema(description = "Cursor for 'after' on the next page; absent on the last page") @Nullable
            String next) {}

    @GET
    @Path("/clusters")
    @Operation(operationId = "listClusters", summary = "List clusters with resources, free capacity and queues")
    public ClustersView list(@Context final SecurityContext security) {
        final Instant now = clock.instant();
        final UserName caller = CallerContext.caller(security).user();
        return new ClustersView(clusters.all().stream()
                .map(shown -> ClusterInfo.of(shown, caller, now, SubmitSettings.UNAVAILABLE_AFTER))
                .toList());
    }

    @GET
    @Path("/clusters/{cluster}/jobs")
    @Operation(
            operationId = "listLocalJobs",
            summary =
                    "List the jobs in the queue of a cluster. Users see their own jobs and counts of others, operators"
                            + " see all jobs")
    public QueueView queue(
            @Context final SecurityContext security,
            @PathParam("cluster") final String cluster,
            @Parameter(
                            description = "Jobs per page",
                            schema = @Schema(type = SchemaType.INTEGER, minimum = "1", defaultValue = "100"))
                    @QueryParam("limit")
                    @DefaultValue("100")
                    final String limit,
            @Parameter(description = "Last job of the previous page: cluster/id@time") @QueryParam("after")
                    final @Nullable String after) {
        final int page = Parameters.limit(limit, SubmitSettings.MAX_PAGE);
        final ShowClusters.Queue queue = clusters.queue(
                CallerContext.caller(security),
                Parameters.read("cluster", cluster, ClusterId::of),
                after == null ? null : Parameters.read("after", after, JobKey::of),
                page);
        final List<LocalJobView> jobs =
                queue.jobs().stream().map(LocalJobView::of).toList();
        return new QueueView(
                jobs,
                ClusterInfo.counts(queue.others()),
                jobs.size() < page ? null : jobs.getLast().job());
    }

    @GET
    @Path("/clusters/{cluster}/schedule")
    @Operation(
            operationId = "showSchedule",
            summary =
                    "Show running jobs with their ends, reservations and predicted starts on a cluster, as for a Gantt"
                            + " chart")
    public ScheduleView schedule(
            @Context final SecurityContext security,
            @PathParam("cluster") final String cluster,
            @Parameter(
                            description = "Maximum number of jobs",
                            schema = @Schema(type = SchemaType.INTEGER, minimum = "1", defaultValue = "100"))
                    @QueryParam("limit")
                    @DefaultValue("100")
                    final String limit) {
        return ScheduleView.of(
                schedule.of(
                        Parameters.read("cluster", cluster, ClusterId::of),
                        Parameters.limit(limit, SubmitSettings.MAX_PAGE)),
                CallerContext.caller(security));
    }

    @GET
    @Path("/local-jobs/why")
    @Operation(operationId = "whyLocalJob", summary = "Explain the state of a local job")
    public WhyView why(
            @Context final SecurityContext security,
            @Parameter(description = "cluster/id or cluster/id@submit-time", required = true) @QueryParam("job")
                    final @Nullable String job) {
        final Caller caller = CallerContext.caller(security);
        final String named = job == null ? "" : job;
        final JobKey key = named.contains("@")
                ? Parameters.read("job", named, JobKey::of)
                : explain.newest(caller, Parameters.read("job", named, JobId::of));
        return WhyView.of(key.toString(), explain.local(caller, key));
    }
}
