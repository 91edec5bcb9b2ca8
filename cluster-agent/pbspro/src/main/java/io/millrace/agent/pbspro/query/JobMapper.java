package io.millrace.agent.pbspro.query;

import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbs.PbsNames;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.pbs.PbsSize;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.Eligibility.Obstacle;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Maps a job of {@code qstat -f} to an observation. */
public final class JobMapper {

    /** Resources that count GPUs, depending on the site. */
    private static final List<String> GPUS = List.of("ngpus", "gpus", "naccelerators");

    private JobMapper() {}

    /** Whether the job is part of the observation. */
    static boolean isShown(final PbsJob job) {
        return !job.isFinished() && (!job.isSubjob() || JobArrays.isReportedAlone(job));
    }

    static JobObserved of(final PbsJob job, final Control control, final Instant now) {
        final JobState state = JobStates.of(job, control);
        final PbsObject object = job.object();
        return new JobObserved(
                job.key(),
                JobVariables.name(object),
                PbsNames.user(object),
                project(job),
                NameMapping.partition(token(job.queue(), "default")),
                state,
                reason(job, state, now),
                resources(job, state),
                PbsDuration.read(object.get("Resource_List.walltime")),
                eligibility(job, state, now),
                job.attempt(),
                job.restarts(),
                object.number("Priority", 0),
                new CheckpointMethod.None(),
                detail(job));
    }

    private static JobDetail detail(final PbsJob job) {
        return new JobDetail(
                null,
                JobArrays.of(job),
                job.dependencies(),
                Select.placement(
                        job.object().get("Resource_List.select"), job.object().get("Resource_List.place")),
                job.isInteractive(),
                !job.object().get("Rerunable", "True").equalsIgnoreCase("false"),
                null);
    }

    static @Nullable ProjectName project(final PbsJob job) {
        return project(
                job.site().charge(),
                job.object().get("project", ""),
                job.object().get("Account_Name", ""));
    }

    /** The charged project: that of the site's attribute, else that of the other one. */
    public static @Nullable ProjectName project(
            final PbsSite.Charge charge, final String project, final String account) {
        final boolean byProject = charge == PbsSite.Charge.PROJECT;
        final ProjectName charged = PbsNames.project(byProject ? project : account);
        return charged == null ? PbsNames.project(byProject ? account : project) : charged;
    }

    private static String token(final String text, final String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }

    /** Why the job waits: dependencies, start time and reservation first, then the scheduler's comment. */
    private static @Nullable String reason(final PbsJob job, final JobState state, final Instant now) {
        if (!state.isWaiting()) {
            return null;
        }
        if (job.isReserved()) {
            return "waits for its reservation " + job.object().get("reserve_ID", job.queue());
        }
        if (job.waitsForDependency()) {
            return "waits for " + String.join(", ", job.dependencies());
        }
        final Instant begins = job.notBefore(now);
        if (begins != null) {
            return "requested to start not before " + begins;
        }
        return job.object().get("comment");
    }

    private static Resources resources(final PbsJob job, final JobState state) {
        final PbsObject object = job.object();
        if (job.isArray() && !JobArrays.hasWaitingSubjobs(job)) {
            return Resources.NONE; // the subjobs hold the resources
        }
        return requested(name -> object.get(name, ""), nodes(object, state));
    }

    /**
     * What the job requested in total, from {@code qstat} or from an accounting record.
     *
     * @param attribute the value of an attribute; empty if the job has none
     */
    public static Resources requested(final UnaryOperator<String> attribute, final int nodes) {
        return new Resources(
                number(attribute.apply("Resource_List.ncpus")),
                nodes,
                PbsSize.mib(attribute.apply("Resource_List.mem")),
                GPUS.stream()
                        .mapToInt(name -> number(attribute.apply("Resource_List." + name)))
                        .max()
                        .orElse(0));
    }

    private static int number(final String text) {
        return text.strip().matches("\\d{1,9}") ? Integer.parseInt(text.strip()) : 0;
    }

    private static int nodes(final PbsObject object, final JobState state) {
        final long nodes = switch (state) {
            case JobState.Running running -> running.nodes().size();
            case JobState.Suspended suspended -> suspended.nodes().size();
            default ->
                Select.isScattered(object.get("Resource_List.place")) ? object.number("Resource_List.nodect", 0) : 0;
        };
        return nodes > 1 ? (int) nodes : 0;
    }

    /** The entry hold does not count: a start lifts it. */
    private static Eligibility eligibility(final PbsJob job, final JobState state, final Instant now) {
        if (job.waitsForDependency()) {
            return Eligibility.not(Obstacle.DEPENDENCY);
        }
        if (state instanceof JobState.Held held && held.by() != HoldKind.ENTRY) {
            return Eligibility.not(Obstacle.HOLD);
        }
        if (job.isReserved()) {
            return Eligibility.not(Obstacle.ADVANCE_RESERVATION);
        }
        final Instant begin = job.notBefore(now);
        if (begin != null) {
            return Eligibility.from(begin);
        }
        final Instant since = job.time("etime");
        return Eligibility.since(since == null || since.isAfter(now) ? job.submitted() : since);
    }

    public static List<PbsJob> jobs(final PbsSite site, final QueryResult listing) {
        return listing.objects().stream()
                .map(object -> new PbsJob(site, object))
                .toList();
    }
}
