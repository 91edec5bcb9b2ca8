package io.millrace.submit.rest.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.command.DryRunResult;
import io.millrace.model.file.FileResult;
import io.millrace.model.job.JobSpec;
import io.millrace.submit.DryRunJob;
import io.millrace.submit.files.MeasureInputs;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The result of a dry run. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "DryRun")
public record DryRunView(
        SpecView job,

        @Schema(description = "Notes that apply to every cluster")
        List<String> notes,

        @Schema(
                description =
                        "The files that would be copied to another cluster; absent if no other cluster is possible")
        @Nullable
        InputsView inputs,

        List<ClusterResultView> clusters) {

    /** The files that would be copied to another cluster. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "DryRunInputs")
    public record InputsView(
            @Schema(description = "Number of regular files") @Nullable
            Long files,

            @Schema(description = "Of all files; files that are already on a cluster are not sent to it again")
            @Nullable
            Long bytes,

            @Schema(description = "Reason if the size is unknown") @Nullable
            String unknown) {

        static InputsView of(final MeasureInputs.Measured measured) {
            final FileResult.CopySize size = measured.size();
            return new InputsView(
                    size == null ? null : size.files(), size == null ? null : size.bytes(), measured.unknown());
        }
    }

    /** The job that would be submitted, including directives and defaults. */
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

    /** The result for one cluster. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "DryRunCluster")
    public record ClusterResultView(
            String cluster,

            @Schema(description = "Workload manager") @Nullable
            String wlm,

            @Schema(
                    description = "accepted; refused: it would not run there; unknown: the cluster gave no answer",
                    enumeration = {"accepted", "refused", "unknown"})
            String verdict,

            @Schema(description = "Reason if refused or unknown") @Nullable
            String reason,

            @Schema(description = "Arguments of the command line that would submit the job")
            List<String> command,

            @Schema(description = "The script that would be submitted") @Nullable
            String script,

            @Schema(description = "Script options without equivalent on this cluster, each with line and reason")
            List<String> ignoredOptions,

            List<String> notes) {

        static ClusterResultView of(final DryRunJob.ClusterResult result) {
            final DryRunResult dryRun = result.dryRun();
            return new ClusterResultView(
                    result.cluster().value(),
                    result.wlm(),
                    result.verdict().name().toLowerCase(Locale.ROOT),
                    result.reason(),
                    dryRun == null ? List.of() : dryRun.command(),
                    dryRun == null ? null : dryRun.script(),
                    dryRun == null ? List.of() : dryRun.ignoredOptions(),
                    dryRun == null ? List.of() : dryRun.notes());
        }
    }

    static DryRunView of(final DryRunJob.DryRunReport report) {
        return new DryRunView(
                SpecView.of(report.spec()),
                report.notes(),
                report.inputs() == null ? null : InputsView.of(report.inputs()),
                report.clusters().stream().map(ClusterResultView::of).toList());
    }
}
