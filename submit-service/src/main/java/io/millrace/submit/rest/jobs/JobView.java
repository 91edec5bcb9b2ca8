package io.millrace.submit.rest.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.BatchMember;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.StopRequested;
import io.millrace.model.job.TargetRequest;
import io.millrace.model.transfer.FilterRule;
import io.millrace.submit.ReadModel;
import io.millrace.submit.domain.job.JobCount;
import io.millrace.submit.domain.submission.ScriptDirectives;
import io.millrace.submit.rest.usage.ResourceUsageView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A global job. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(description = "A job submitted to Millrace")
public record JobView(
        @Schema(description = "ULID") String id,

        @Schema(
                description =
                        "Short number, which commands, paths and dependencies accept in place of the id; of a job of a"
                                + " batch with its index",
                examples = {"4711", "4711_4"})
        String number,

        String name,
        String user,

        @Schema(ref = "JobState") String state,
        @Schema(ref = "JobStage") String stage,

        @Schema(description = "One sentence about the state")
        String reason,

        @Schema(description = "Whether the state is final") boolean finished,

        @Schema(description = "How the run ended") @Nullable OutcomeView outcome,

        @Schema(
                description =
                        "Hold: user or operator, of the job or its local job; submission or entry, of the local job by"
                                + " Millrace")
        @Nullable
        String hold,

        @Schema(description = "Key of the local job: cluster/id@submit-time") @Nullable
        String localJob,

        @Schema(description = "Cluster of the latest attempt") @Nullable
        String cluster,

        int cores,

        @Schema(description = "Number of nodes; 0: any") int nodes,

        @Schema(description = "Total in MiB; 0: not specified")
        long memoryMib,

        int gpus,
        @Schema(description = "ISO 8601") String walltime,
        @Nullable String partition,
        @Nullable String project,

        @Schema(description = "Cluster that holds the directory")
        String source,

        String directory,

        @Schema(description = "Required cluster") @Nullable String target,

        @Schema(description = "The only clusters that may run it, best first; absent: all") @Nullable
        List<String> clusters,

        @Schema(
                description =
                        "Which of the possible clusters gets it; absent: the order of 'clusters', else the rule of the"
                                + " site",
                enumeration = {"performance-order", "earliest-end", "least-core-hours", "data-locality"})
        @Nullable
        String targetRule,

        @Schema(description = "Which files are copied to another cluster; absent: all") @Nullable
        List<String> inputFilter,

        @Schema(description = "Which files are copied back as results; absent: all") @Nullable
        List<String> resultFilter,

        Instant submittedAt,
        @Schema(description = "When the state was entered") Instant since,

        @Schema(description = "Start of the current or last run; absent if none has started or another one follows")
        @Nullable
        Instant startedAt,

        @Schema(description = "End of the last run; absent while a run may follow") @Nullable
        Instant endedAt,

        @Schema(description = "What the last run used; absent while a run may follow, and if nothing was measured")
        @Nullable
        ResourceUsageView used,

        @Schema(description = "Start of the next run as planned; absent if nothing is planned") @Nullable
        Instant predictedStart,

        @Schema(description = "Code of the obstacle that decides first, if it waits (docs/guide/codes.md)") @Nullable
        String obstacle,

        @Schema(description = "Number of runs after which the job was queued again, with or without a checkpoint")
        int preemptions,

        @Schema(description = "Whether the job exited with 0; absent until it has ended, and if it was stopped")
        @Nullable
        Boolean succeeded,

        @Schema(description = "Order among the waiting jobs of its user: higher first; absent: 0") @Nullable
        Integer priority,

        @Schema(description = "Batch that the job belongs to") @Nullable
        String batch,

        @Schema(description = "Index of the task of an array, or number of the job in its batch") @Nullable
        Integer index,

        @Schema(description = "Its batch, only in lists with 'collapse'") @Nullable
        TasksView tasks,

        @Schema(description = "Jobs that must end before it is placed, as of sbatch --dependency") @Nullable
        String dependency,

        @Schema(description = "The transfer that the job waits for, while it is uploading or downloading") @Nullable
        TransferStateView transfer,

        @Schema(description = "Requested stop") @Nullable StopView stop,

        List<AttemptView> attempts,

        @Schema(description = "Number of changes; 0 until placement starts")
        long version,

        @Schema(description = "Only in the response for a single job") @Nullable
        String script,

        @Schema(description = "Arguments of the script; only in the response for a single job") @Nullable
        List<String> arguments,

        @Schema(description = "Only in the response for a single job") @Nullable
        String make,

        @Schema(description = "Only in the response for a single job") @Nullable
        Map<String, String> environment,

        @Schema(description = "Notes about script directives; only in the response for a single job") @Nullable
        List<String> notes) {

    /** A requested stop. */
    @Schema(name = "Stop")
    public record StopView(String requestedBy, Instant requestedAt, String reason) {

        static StopView of(final StopRequested stop) {
            return new StopView(stop.by().value(), stop.requestedAt(), stop.reason());
        }
    }

    /** One placement of the job. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "Attempt")
    public record AttemptView(
            int number,
            String cluster,
            String directory,

            @Schema(description = "Why this cluster was chosen")
            String reason,

            Instant startedAt,
            @Nullable String localJob,
            @Nullable Instant endedAt,

            @Schema(
                    enumeration = {
                        "finished",
                        "failed",
                        "stopped",
                        "moved",
                        "drained",
                        "fenced",
                        "disk-full",
                        "disk-quota-exceeded"
                    },
                    description = "Why it ended; absent while it is active")
            @Nullable
            String cause,

            @Schema(description = "Why it ended, in one sentence") @Nullable
            String endReason,

            @Schema(description = "Partition of the cluster; absent: the default one") @Nullable
            String partition) {

        static AttemptView of(final Attempt attempt) {
            return new AttemptView(
                    attempt.number(),
                    attempt.cluster().value(),
                    attempt.directory(),
                    attempt.reason(),
                    attempt.startedAt(),
                    attempt.localJob() == null ? null : attempt.localJob().toString(),
                    attempt.endedAt(),
                    attempt.end() == null
                            ? null
                            : attempt.end()
                                    .cause()
                                    .name()
                                    .toLowerCase(Locale.ROOT)
                                    .replace('_', '-'),
                    attempt.end() == null ? null : attempt.end().reason(),
                    Objects.toString(attempt.partition(), null));
        }
    }

    /** The selected jobs of a batch. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "Tasks")
    public record TasksView(
            @Schema(description = "Lowest index") int first,
            @Schema(description = "Highest index") int last,

            @Schema(description = "How many may be on clusters at a time; absent: not limited") @Nullable
            Integer maxConcurrent,

            long jobs,
            List<JobsResource.JobCountView> counts) {

        static TasksView of(final ReadModel.Tasks tasks, final @Nullable BatchMember member) {
            return new TasksView(
                    tasks.first(),
                    tasks.last(),
                    member == null ? null : member.maxConcurrent(),
                    tasks.counts().stream().mapToLong(JobCount::jobs).sum(),
                    tasks.counts().stream().map(JobsResource.JobCountView::of).toList());
        }
    }

    static JobView brief(final ReadModel.JobDetails shown) {
        return of(shown, null, null);
    }

    static JobView ofNumber(final ReadModel.NumberedJobs jobs) {
        return of(jobs.first(), null, jobs.tasks());
    }

    static JobView full(final ReadModel.JobDetails shown) {
        return of(shown, List.of(), null);
    }

    /** @param more notes about the submission */
    static JobView submitted(final ReadModel.JobDetails shown, final List<String> more) {
        return of(shown, more, null);
    }

    /**
     * @param more notes beyond those of the script; null for a brief view
     * @param tasks of the batch that is shown as one job; null for a job
     */
    private static JobView of(
            final ReadModel.JobDetails shown,
            final @Nullable List<String> more,
            final ReadModel.@Nullable Tasks tasks) {
        final GlobalJob job = shown.stored().job();
        final JobSubmitted submission = job.submission();
        final JobSpec spec = submission.spec();
        final Attempt attempt = job.attempt();
        final JobObserved local = shown.local();
        final StopRequested stop =
                job.stop() != null ? job.stop() : shown.stored().stop();
        return new JobView(
                job.id().value(),
                (tasks == null ? submission.jobNumber() : submission.jobNumber().ofBatch()).toString(),
                spec.name(),
                submission.owner().value(),
                shown.stored().state().word(),
                job.state().word(),
                StateText.of(job, local, shown.transfer()),
                job.state().isFinal(),
                OutcomeView.of(job.state()),
                hold(job, local),
                attempt == null || attempt.localJob() == null
                        ? null
                        : attempt.localJob().toString(),
                attempt == null ? null : attempt.cluster().value(),
                spec.resources().cores(),
                spec.resources().nodes(),
                spec.resources().memoryMib(),
                spec.resources().gpus(),
                spec.walltime().toString(),
                Objects.toString(spec.partition(), null),
                Objects.toString(spec.project(), null),
                submission.source().value(),
                submission.directory(),
                Objects.toString(submission.target(), null),
                clusters(submission.requested()),
                rule(submission.requested()),
                filter(submission.filters().inputs()),
                filter(submission.filters().results()),
                submission.submittedAt(),
                job.since(),
                shown.progress().startedAt(),
                shown.progress().endedAt(),
                shown.progress().lastRun() == null
                        ? null
                        : ResourceUsageView.of(shown.progress().lastRun().used()),
                shown.progress().predictedStart(),
                shown.progress().obstacle() == null
                        ? null
                        : shown.progress().obstacle().code(),
                shown.progress().preemptions(),
                OutcomeView.succeeded(job.state()),
                job.priority(),
                submission.batch() == null ? null : submission.batch().batch().value(),
                submission.batch() == null || tasks != null
                        ? null
                        : submission.batch().index(),
                tasks == null ? null : TasksView.of(tasks, submission.batch()),
                shown.dependency(),
                TransferStateView.of(shown.transfer()),
                stop == null ? null : StopView.of(stop),
                job.attempts().stream().map(AttemptView::of).toList(),
                job.version(),
                more != null ? spec.script() : null,
                more != null ? spec.arguments() : null,
                more != null ? spec.make() : null,
                more != null ? spec.environment() : null,
                more != null ? notes(spec, more) : null);
    }

    private static @Nullable List<String> clusters(final TargetRequest request) {
        return request.clusters().isEmpty()
                ? null
                : request.clusters().stream().map(ClusterId::value).toList();
    }

    private static @Nullable String rule(final TargetRequest request) {
        return request.rule() == null ? null : request.rule().word();
    }

    private static @Nullable List<String> filter(final List<FilterRule> rules) {
        return rules.isEmpty() ? null : rules.stream().map(FilterRule::value).toList();
    }

    private static List<String> notes(final JobSpec spec, final List<String> more) {
        final List<String> notes = new ArrayList<>(new ScriptDirectives(spec).notes(spec));
        notes.addAll(more);
        return notes;
    }

    private static @Nullable String hold(final GlobalJob job, final @Nullable JobObserved local) {
        final HoldKind kind = job.holdKind();
        if (kind != null) {
            return word(kind);
        }
        return local == null ? null : hold(local.state());
    }

    static @Nullable String hold(final JobState state) {
        return state instanceof JobState.Held held ? word(held.by()) : null;
    }

    private static String word(final HoldKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
