package io.millrace.submit.rest.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.job.JobStatus;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.WeightedTerm;
import io.millrace.submit.clusters.ShowClusters;
import io.millrace.submit.rest.priority.PartitionOverflowView;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A job in the queue of a cluster. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "LocalJob")
public record LocalJobView(
        @Schema(description = "cluster/id@submit-time") String job,
        String id,
        String name,
        String user,
        @Nullable String project,
        String partition,
        @Schema(ref = "JobState") String state,
        @Nullable String hold,

        @Schema(description = "Reason code of the workload manager while it waits") @Nullable
        String reason,

        int cores,
        @Nullable String walltime,
        Instant submittedAt,

        @Schema(description = "Start of the run; absent while it waits") @Nullable
        Instant startedAt,

        @Schema(description = "Attempt of a global job: ULID.number") @Nullable
        String attempt,

        int restarts,
        @Nullable EntitlementView entitlement,
        List<PlanView> plans) {

    /** The entitlement of a job. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "Entitlement")
    public record EntitlementView(
            @Schema(enumeration = {"guaranteed", "borrowed", "held"})
            String level,

            long priority,
            String reason,

            @Schema(description = "Terms of the priority; absent for a job that never waited") @Nullable
            List<TermView> terms,

            @Schema(description = "Other partitions that its priority opens, in order of preference; absent: none")
            @Nullable
            List<String> otherPartitions) {
        static EntitlementView of(final Entitlement entitlement) {
            return new EntitlementView(
                    entitlement.level().name().toLowerCase(Locale.ROOT),
                    entitlement.priority(),
                    entitlement.reason(),
                    TermView.of(entitlement.terms()),
                    entitlement.partitions() == null ? null : PartitionOverflowView.names(entitlement.partitions()));
        }
    }

    /** One term of a priority. */
    @Schema(name = "PriorityTerm")
    public record TermView(
            @Schema(enumeration = {"entitlement", "age", "size", "use", "class", "urgency", "project", "budget"})
            String term,

            @Schema(description = "Factor of the job, 0 to 100")
            int factorPercent,

            int weight,

            @Schema(description = "Contribution to the priority: weight x factor")
            long points) {
        static @Nullable public List<TermView> of(final @Nullable List<WeightedTerm> terms) {
            return terms == null
                    ? null
                    : terms.stream()
                            .map(term -> new TermView(
                                    term.term().word(), term.factorPercent(), term.weight(), term.points()))
                            .toList();
        }
    }

    /** A service's plan for the job. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "Plan")
    public record PlanView(
            @Schema(description = "The service that published the plan")
            String service,

            @Nullable Instant predictedStart,

            @Schema(description = "Position in the queue, from 1; 0: no order")
            int position,

            String reason,
            List<VetoView> vetoes) {
        static PlanView of(final Plan plan) {
            return new PlanView(
                    plan.issuer().name().toLowerCase(Locale.ROOT),
                    plan.predictedStart(),
                    plan.position(),
                    plan.reason(),
                    plan.vetoes().stream()
                            .map(veto -> new VetoView(veto.code(), veto.permanent(), veto.reason()))
                            .toList());
        }
    }

    /** A veto against starting the job. */
    @Schema(name = "Veto")
    public record VetoView(String code, boolean permanent, String reason) {}

    public static LocalJobView of(final ShowClusters.LocalJobDetails shown) {
        final JobObserved job = shown.job();
        return new LocalJobView(
                job.job().toString(),
                job.job().id().local(),
                job.name(),
                job.owner().value(),
                Objects.toString(job.project(), null),
                job.partition().value(),
                JobStatus.of(job).word(),
                JobView.hold(job.state()),
                job.reason(),
                job.resources().cores(),
                Objects.toString(job.walltime(), null),
                job.job().submittedAt(),
                startedAt(job.state()),
                Objects.toString(job.attempt(), null),
                job.restarts(),
                shown.entitlement() == null ? null : EntitlementView.of(shown.entitlement()),
                shown.plans().stream().map(PlanView::of).toList());
    }

    private static @Nullable Instant startedAt(final JobState state) {
        return switch (state) {
            case JobState.Running running -> running.startedAt();
            case JobState.Suspended suspended -> suspended.startedAt();
            case JobState.Queued s -> null;
            case JobState.Held s -> null;
            case JobState.Completing s -> null;
            case JobState.Unsettled s -> null;
            case JobState.Unknown s -> null;
        };
    }
}
