package io.millrace.submit.rest.classes;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.policy.ClassModelSet;
import io.millrace.model.policy.Request.ClassModelRequested;
import io.millrace.submit.domain.policy.ClassModelState;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The class model. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "ClassModel")
public record ClassModelView(
        @Schema(description = "Also the ETag; 0: not published yet")
        long version,

        @Schema(description = "YAML, as the guide to classification describes it") @Nullable
        String model,

        @Schema(description = "Empty domains, overlapping and unreachable classes") @Nullable
        List<String> warnings,

        @Nullable String author,
        @Nullable String reason,
        @Nullable Instant changedAt,

        @Schema(description = "A requested change that is not in force") @Nullable
        RequestView request) {

    /** A requested change or preview. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "ClassModelChange")
    public record RequestView(
            String author,
            String reason,
            long basedOn,
            Instant requestedAt,

            @Schema(description = "The model has an error, or another change came first")
            boolean refused,

            @Schema(description = "Why it was refused, with line and column of an error in the model") @Nullable
            String error) {

        static RequestView of(final ClassModelRequested request, final boolean refused, final @Nullable String error) {
            return new RequestView(
                    request.author().value(),
                    request.reason(),
                    request.basedOn(),
                    request.requestedAt(),
                    refused,
                    error);
        }
    }

    static ClassModelView of(final ClassModelState shown) {
        final ClassModelSet set = shown.inForce();
        return new ClassModelView(
                shown.version(),
                set == null ? null : set.model(),
                set == null ? null : set.warnings(),
                set == null ? null : set.author().value(),
                set == null ? null : set.reason(),
                set == null ? null : set.changedAt(),
                shown.request() == null ? null : RequestView.of(shown.request(), shown.isRefused(), shown.refusal()));
    }
}
