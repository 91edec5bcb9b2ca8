package io.millrace.submit.rest.priority;

import io.millrace.model.ProjectName;
import io.millrace.model.policy.PartitionOverflow;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityTerm;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.policy.PreviewRules;
import io.millrace.submit.rest.Parameters;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The complete requested priority rules; omitted parts have no weight and open no partitions. */
@Schema(name = "PriorityRulesRequest")
public record PriorityRulesRequest(
        @Nullable Map<String, @Nullable Integer> weights,

        @Schema(examples = "PT168H") @Nullable String maxAge,
        @Schema(examples = "PT168H") @Nullable String halfLife,
        @Nullable Map<String, @Nullable Integer> classFactorsPercent,
        @Nullable Map<String, @Nullable Integer> urgencyFactorsPercent,
        @Nullable Map<String, @Nullable Integer> projectFactorsPercent,

        @Schema(description = "Rules that open other partitions from a priority on") @Nullable
        List<@Nullable PartitionOverflowRequest> overflow,

        @Schema(required = true) @Nullable String reason) {

    /** @throws RequestRefused naming the invalid field */
    PriorityRules rules() {
        final List<PartitionOverflow> openings = PartitionOverflowRequest.read(overflow);
        try {
            return new PriorityRules(
                            weights(weights),
                            span("maxAge", maxAge, PriorityRules.NONE.maxAge()),
                            span("halfLife", halfLife, PriorityRules.NONE.halfLife()),
                            figures("classFactorsPercent", classFactorsPercent),
                            figures("urgencyFactorsPercent", urgencyFactorsPercent),
                            projectFactorsPercent(projectFactorsPercent),
                            null)
                    .withOverflow(openings);
        } catch (IllegalArgumentException e) {
            throw RequestRefused.invalid("rules", String.valueOf(e.getMessage()));
        }
    }

    /**
     * Rules for a preview.
     *
     * @throws RequestRefused naming the invalid field
     */
    static PreviewRules previewRules(final PriorityResource.PreviewRequest requested, final PriorityRules inForce) {
        final PreviewRules preview = new PreviewRules(
                weights(requested.weights()),
                requested.maxAge() == null ? null : span("maxAge", requested.maxAge(), inForce.maxAge()),
                requested.classFactorsPercent() == null
                        ? null
                        : figures("classFactorsPercent", requested.classFactorsPercent()),
                requested.urgencyFactorsPercent() == null
                        ? null
                        : figures("urgencyFactorsPercent", requested.urgencyFactorsPercent()),
                requested.projectFactorsPercent() == null
                        ? null
                        : projectFactorsPercent(requested.projectFactorsPercent()),
                requested.overflow() == null ? null : PartitionOverflowRequest.read(requested.overflow()));
        if (preview.isEmpty()) {
            throw RequestRefused.invalid(
                    "weights", "must contain at least one term, unless the preview changes other rules");
        }
        try {
            preview.appliedTo(inForce);
        } catch (IllegalArgumentException e) {
            throw RequestRefused.invalid("rules", String.valueOf(e.getMessage()));
        }
        return preview;
    }

    private static Map<ProjectName, Integer> projectFactorsPercent(
            final @Nullable Map<String, @Nullable Integer> requested) {
        final Map<ProjectName, Integer> projects = new HashMap<>();
        figures("projectFactorsPercent", requested)
                .forEach((name, percent) ->
                        projects.put(Parameters.read("projectFactorsPercent", name, ProjectName::of), percent));
        return projects;
    }

    private static Map<PriorityTerm, Integer> weights(final @Nullable Map<String, @Nullable Integer> requested) {
        final Map<PriorityTerm, Integer> weights = new EnumMap<>(PriorityTerm.class);
        figures("weights", requested).forEach((word, weight) -> weights.put(term(word), weight));
        return weights;
    }

    private static PriorityTerm term(final String word) {
        return PriorityTerm.weighted().stream()
                .filter(term -> term.word().equals(word))
                .findFirst()
                .orElseThrow(() -> RequestRefused.invalid(
                        "weights",
                        "'" + word + "' is not a valid term; use one of "
                                + PriorityTerm.weighted().stream()
                                        .map(PriorityTerm::word)
                                        .toList()));
    }

    private static Map<String, Integer> figures(
            final String field, final @Nullable Map<String, @Nullable Integer> requested) {
        final Map<String, Integer> figures = new HashMap<>();
        if (requested != null) {
            requested.forEach((name, figure) -> {
                if (figure == null) {
                    throw RequestRefused.invalid(field, "'" + name + "' must have a number");
                }
                figures.put(name, figure);
            });
        }
        return figures;
    }

    private static Duration span(final String field, final @Nullable String text, final Duration byDefault) {
        if (text == null) {
            return byDefault;
        }
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw RequestRefused.invalid(field, "'" + text + "' is not a valid ISO 8601 duration such as PT168H");
        }
    }
}
