package io.millrace.submit.rest.jobs;

import io.millrace.model.BatchId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.ProjectName;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobStatus;
import io.millrace.submit.ReadModel;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.JobFilter;
import io.millrace.submit.domain.usage.UsageQuery;
import io.millrace.submit.rest.Parameters;
import jakarta.ws.rs.QueryParam;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jspecify.annotations.Nullable;

/** Query parameters that select jobs. */
public class JobSelection {

    @Parameter(description = "Only this user; operators may name other users")
    @QueryParam("user")
    @Nullable
    String user;

    @Parameter(
            description = "Only in these states, in any case; 'active' and 'final' select several",
            schema = @Schema(ref = "JobStateFilter"))
    @QueryParam("state")
    List<String> states = List.of();

    @Parameter(description = "Only in these stages, in any case", schema = @Schema(ref = "JobStageFilter"))
    @QueryParam("stage")
    List<String> stages = List.of();

    @Parameter(description = "Only jobs with this name")
    @QueryParam("name")
    @Nullable
    String name;

    @Parameter(description = "Only jobs whose last attempt was on this cluster")
    @QueryParam("cluster")
    @Nullable
    String cluster;

    @Parameter(description = "Only jobs of this project")
    @QueryParam("project")
    @Nullable
    String project;

    @Parameter(
            description =
                    "Only jobs that had not ended before this day (2026-11-01, in the site's time zone) or instant")
    @QueryParam("from")
    @Nullable
    String from;

    @Parameter(
            description =
                    "Only jobs submitted up to this day, or before this instant; if only final states are selected,"
                            + " jobs that ended by then")
    @QueryParam("to")
    @Nullable
    String to;

    @Parameter(description = "Only jobs of the batch with this number or id")
    @QueryParam("batch")
    @Nullable
    String batch;

    JobFilter filter(
            final Caller caller,
            final ReadModel model,
            final ZoneId site,
            final @Nullable GlobalJobId after,
            final int limit) {
        return new JobFilter(
                Parameters.owner(caller, user),
                Parameters.read("state", states, JobStatus::selectedBy),
                Parameters.read("stage", stages, GlobalJobState::wordsOf),
                name,
                cluster == null ? null : Parameters.read("cluster", cluster, ClusterId::of),
                project == null ? null : Parameters.read("project", project, ProjectName::of),
                batch == null ? null : batch(caller, model, batch),
                from == null && to == null ? null : period(site),
                after,
                limit);
    }

    private static BatchId batch(final Caller caller, final ReadModel model, final String named) {
        try {
            return model.batchId(caller, named);
        } catch (final RequestRefused unknown) {
            throw unknown.kind() == RequestRefused.Kind.NOT_FOUND
                    ? RequestRefused.malformed("batch", "cannot be read: " + unknown.reason())
                    : unknown;
        }
    }

    private JobFilter.Period period(final ZoneId site) {
        final Instant begin =
                from == null ? Instant.EPOCH : Parameters.read("from", from, text -> UsageQuery.beginning(text, site));
        final Instant end = to == null ? LAST : Parameters.read("to", to, text -> UsageQuery.end(text, site));
        if (!begin.isBefore(end)) {
            throw RequestRefused.invalid("to", "must be later than 'from' (" + begin + "), got " + end);
        }
        return new JobFilter.Period(begin, end);
    }

    /** The latest time that the database can compare. */
    private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");
}
