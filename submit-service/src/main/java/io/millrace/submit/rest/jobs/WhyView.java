package io.millrace.submit.rest.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.Veto;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import io.millrace.model.job.Attempt;
import io.millrace.model.policy.Plan;
import io.millrace.model.transfer.Transfer;
import io.millrace.submit.domain.job.CommandHistory;
import io.millrace.submit.domain.job.JobEvidence;
import io.millrace.submit.domain.job.Obstacle;
import io.millrace.submit.domain.job.ServiceProgress;
import io.millrace.submit.rest.usage.ResourceUsageView;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The explanation of a job's state: decisions with service and reason, refusals, and the predicted start. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Why")
public record WhyView(
        @Schema(description = "ULID, or key of a local job") String job,

        @Schema(description = "Number of the job; absent if it was submitted to a cluster directly") @Nullable
        String number,

        @Nullable String name,
        @Schema(ref = "JobState") String state,

        @Schema(ref = "JobStage") @Nullable String stage,

        @Schema(description = "The obstacle that decides first, if the job waits") @Nullable
        ObstacleView obstacle,

        @Schema(description = "The explanation in a few sentences")
        String summary,

        @Schema(description = "Services that have not decided for more than a minute")
        List<String> stalledServices,

        @Nullable Instant predictedStart,
        List<JobView.AttemptView> attempts,
        LocalJobView.@Nullable EntitlementView entitlement,

        @Schema(description = "Other partitions that its priority opens, or that a higher priority would open")
        List<OpeningView> openings,

        List<LocalJobView.PlanView> plans,
        List<ClassesView> classes,
        List<CommandView> commands,
        List<TransferView> transfers,
        List<RunView> runs) {

    /** Why a job does not start now, and what helps. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "Obstacle")
    public record ObstacleView(
            @Schema(description = "See docs/guide/codes.md") String code,
            String reason,
            @Nullable String remedy) {

        static ObstacleView of(final Veto veto) {
            return new ObstacleView(
                    veto.code(), veto.reason(), Obstacle.remedy(veto).orElse(null));
        }
    }

    /** Another partition for a waiting job. */
    @Schema(name = "PartitionOpening")
    public record OpeningView(
            String partition,

            @Schema(description = "Lowest priority that opens the partition, in points")
            long minPriority,

            @Schema(description = "Whether the job may start there now")
            boolean open) {}

    /** The classes of the job, with the evidence. */
    @Schema(name = "Classes")
    public record ClassesView(String job, List<String> classes, List<String> evidence) {}

    /** A command to an agent with its outcome. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "Command")
    public record CommandView(
            String id,

            @Schema(description = "The service that issued it")
            String service,

            String cluster,
            String action,
            String subject,

            @Schema(description = "Reason of the command; absent if only the outcome is known") @Nullable
            String reason,

            @Nullable Instant issuedAt,
            @Nullable Instant validUntil,

            @Schema(enumeration = {"open", "begun", "done", "refused", "failed", "unclear"})
            String result,

            @Nullable String resultReason,
            @Nullable Instant answeredAt) {}

    /** A transfer of the job's directory. */
    @Schema(name = "Transfer")
    public record TransferView(String id, String from, String to, String state, Instant since) {}

    /** An ended run. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "Run")
    public record RunView(
            String job,
            int run,
            int cores,
            @Nullable Instant startedAt,
            Instant endedAt,
            OutcomeView outcome,
            long lostCoreSeconds,

            @Schema(description = "Source of the record") String source,

            @Schema(description = "What it used; absent: not measured") @Nullable
            ResourceUsageView used) {}

    public static WhyView of(final String job, final JobEvidence evidence) {
        return new WhyView(
                job,
                evidence.global() == null
                        ? null
                        : evidence.global().job().submission().jobNumber().toString(),
                name(evidence),
                evidence.state().word(),
                evidence.global() == null
                        ? null
                        : evidence.global().job().state().word(),
                Obstacle.of(evidence.plans()).map(ObstacleView::of).orElse(null),
                WhySummary.of(evidence),
                evidence.stalled().stream().map(ServiceProgress::stall).toList(),
                predictedStart(evidence),
                evidence.global() == null
                        ? List.of()
                        : evidence.global().job().attempts().stream()
                                .map(JobView.AttemptView::of)
                                .toList(),
                evidence.entitlements().stream()
                        .findFirst()
                        .map(LocalJobView.EntitlementView::of)
                        .orElse(null),
                evidence.partitionOpenings().stream()
                        .map(opening ->
                                new OpeningView(opening.partition().value(), opening.minPriority(), opening.open()))
                        .toList(),
                evidence.plans().stream().map(LocalJobView.PlanView::of).toList(),
                evidence.classes().stream()
                        .map(classified ->
                                new ClassesView(classified.key(), classified.classes(), classified.evidence()))
                        .toList(),
                evidence.commands().stream()
                        .map(history -> command(history, keys(job, evidence)))
                        .toList(),
                evidence.transfers().stream()
                        .sorted(Comparator.comparing(Transfer::since))
                        .map(WhyView::transfer)
                        .toList(),
                evidence.runs().stream().map(WhyView::run).toList());
    }

    private static @Nullable String name(final JobEvidence evidence) {
        return evidence.global() != null
                ? evidence.global().job().submission().spec().name()
                : evidence.local() == null ? null : evidence.local().name();
    }

    private static @Nullable Instant predictedStart(final JobEvidence evidence) {
        return evidence.plans().stream()
                .map(Plan::predictedStart)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** The keys of the job and of its attempts. */
    private static Set<String> keys(final String job, final JobEvidence evidence) {
        final Set<String> keys = new HashSet<>();
        keys.add(job);
        if (evidence.global() != null) {
            evidence.global().job().attempts().stream()
                    .map(Attempt::localJob)
                    .filter(Objects::nonNull)
                    .forEach(local -> keys.add(local.toString()));
        }
        return keys;
    }

    /** The reason of a command; for a reclaim, with the reason for preempting this job. */
    private static String reason(final Command command, final Set<String> keys) {
        if (!(command.action() instanceof Action.Reclaim reclaim)) {
            return command.reason();
        }
        if (reclaim.allReserve().stream()
                .anyMatch(reserved -> keys.contains(reserved.job().toString()))) {
            return command.reason()
                    + "; this job is requeued: it had started on idle cores that the reclaim counted on";
        }
        return reclaim.allPreemptions().stream()
                .filter(preemption -> keys.contains(preemption.victim().toString()))
                .findFirst()
                .map(preemption -> command.reason() + "; this job is " + preemption.reason())
                .orElse(command.reason());
    }

    private static CommandView command(final CommandHistory history, final Set<String> keys) {
        final Command command = history.command();
        final Outcome begun = history.begun();
        final Outcome outcome = history.answer() != null ? history.answer() : begun;
        final Result result = outcome == null ? null : outcome.result();
        if (command != null) {
            return new CommandView(
                    command.id().value(),
                    command.issuer().name().toLowerCase(Locale.ROOT),
                    command.cluster().value(),
                    command.action().name(),
                    command.action().subject(),
                    reason(command, keys),
                    command.issuedAt(),
                    command.validUntil(),
                    word(result),
                    resultReason(result),
                    outcome == null ? null : outcome.answeredAt());
        }
        final Outcome only = Objects.requireNonNull(outcome, "a history has a command or an outcome");
        return new CommandView(
                only.command().value(),
                only.issuer().name().toLowerCase(Locale.ROOT),
                only.cluster().value(),
                only.action(),
                only.subject(),
                null,
                null,
                null,
                word(result),
                resultReason(result),
                only.answeredAt());
    }

    private static String word(final @Nullable Result result) {
        return switch (result) {
            case null -> "open";
            case Result.Begun r -> "begun";
            case Result.Done r -> "done";
            case Result.Refused r -> "refused";
            case Result.Failed r -> "failed";
            case Result.Unclear r -> "unclear";
        };
    }

    private static @Nullable String resultReason(final @Nullable Result result) {
        return switch (result) {
            case null -> null;
            case Result.Begun r -> null;
            case Result.Done r -> r.detail();
            case Result.Refused r -> r.refusal().code() + ": " + r.reason();
            case Result.Failed r -> r.reason();
            case Result.Unclear r -> r.reason();
        };
    }

    private static TransferView transfer(final Transfer transfer) {
        return new TransferView(
                transfer.id().value(),
                transfer.from().toString(),
                transfer.to().toString(),
                StateText.of(transfer.state()),
                transfer.since());
    }

    private static RunView run(final RunEnded run) {
        return new RunView(
                run.job().toString(),
                run.run(),
                run.resources().cores(),
                run.startedAt(),
                run.endedAt(),
                OutcomeView.of(run.outcome()),
                run.lostCoreSeconds(),
                run.source(),
                ResourceUsageView.of(run.used()));
    }
}
