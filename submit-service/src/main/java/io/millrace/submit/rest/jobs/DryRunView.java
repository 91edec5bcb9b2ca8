package io.millrace.submit.rest.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.command.DryRunResult;
import io.millrace.model.job.JobSpec;
import io.millrace.submit.DryRunJob;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** What a dry run found. */
@Schema(name = "DryRun")
public record DryRunView(
        SpecView job,

        @Schema(description = "What is to be known wherever it runs")
        List<String> notes,

        List<ClusterResultView> clusters) {

    /** The job that would be submitted, directives and defaults included. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "DryRunJob")
    public record SpecView(
            String name,
            int cores,
            int nodes,
            long memoryMib,
            int gpus,
            @Schema(description = "ISO 8601") String walltime,
            @Nullable String partition,
            @Nullable String project,
            Map<String, String> environment,
            boolean strict) {

        static SpecView of(final JobSpec spec) {
            return new SpecView(
                    spec.name(),
                    spec.resources().cores(),
                    spec.resources().nodes(),
                    spec.resources().memoryMib(),
                    spec.resources().gpus(),
                    spec.walltime().toString(),
                    Objects.toString(spec.partition(), null),
                    Objects.toString(spec.project(), null),
                    spec.environment(),
                    spec.strict());
        }
    }

    /** How one cluster would take it. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "DryRunCluster")
    public record ClusterResultView(
            String cluster,

            @Schema(description = "The workload manager") @Nullable
            String wlm,

            @Schema(
                    description = "accepted; refused: it would not run there; unknown: the cluster gave no answer",
                    enumeration = {"accepted", "refused", "unknown"})
            String verdict,

            @Schema(description = "Why it is refused or unknown") @Nullable
            String reason,

            @Schema(description = "The command line that would hand it in, word by word")
            List<String> command,

            @Schema(description = "What would be handed in with it") @Nullable
            String script,

            @Schema(description = "Options of the script without equivalent there, each with its line and the reason")
            List<String> ignoredOptions,

            List<String> notes) {

        static ClusterResultView of(final DryRunJob.ClusterResult taken) {
            final DryRunResult found = taken.rehearsal();
            return new ClusterResultView(
                    taken.cluster().value(),
                    taken.wlm(),
                    taken.verdict().name().toLowerCase(Locale.ROOT),
                    taken.because(),
                    found == null ? List.of() : found.command(),
                    found == null ? null : found.script(),
                    found == null ? List.of() : found.ignoredOptions(),
                    found == null ? List.of() : found.notes());
        }
    }

    static DryRunView of(final DryRunJob.DryRunReport found) {
        return new DryRunView(
                SpecView.of(found.spec()),
                found.remarks(),
                found.clusters().stream().map(ClusterResultView::of).toList());
    }
}
