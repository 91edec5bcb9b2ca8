package io.millrace.submit.rest.classes;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.policy.ClassModelChecked;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** What a draft of the class model would change. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "ClassModelPreview")
public record ClassModelPreviewView(
        Instant requestedAt,

        @Schema(description = "Why the draft is not a model, with line and column") @Nullable
        String error,

        @Schema(description = "Empty domains, overlapping and unreachable classes")
        List<String> warnings,

        @Schema(description = "How many of the last jobs were classified")
        int jobs,

        @Schema(description = "How many of them would have other classes")
        int changed,

        @Schema(description = "The newest of these") List<OtherClassesView> examples,

        @Schema(description = "What the stages of the draft did, in their order")
        List<StageView> stages) {

    /** A job with other classes. */
    @Schema(name = "ChangedClasses")
    public record OtherClassesView(
            String job,

            @Schema(description = "Best first; empty if unclassified")
            List<String> before,

            List<String> after) {}

    /** The work of a stage. */
    @Schema(name = "StageWork")
    public record StageView(
            @Schema(examples = "rho") String stage,

            @Schema(description = "Jobs with several candidates before the stage")
            long entered,

            @Schema(description = "Jobs with fewer candidates after it")
            long reduced,

            @Schema(description = "Candidates that it removed in total")
            long removed) {}

    static ClassModelPreviewView of(final ClassModelChecked checked) {
        return new ClassModelPreviewView(
                checked.requestedAt(),
                checked.error(),
                checked.warnings(),
                checked.jobs(),
                checked.changed(),
                checked.examples().stream()
                        .map(one -> new OtherClassesView(one.job(), one.before(), one.after()))
                        .toList(),
                checked.stages().stream()
                        .map(one -> new StageView(one.stage(), one.entered(), one.reduced(), one.removed()))
                        .toList());
    }
}
