package io.millrace.submit.rest.priority;

import io.millrace.submit.rest.Parameters;
import io.millrace.model.ProjectName;
import io.millrace.model.policy.PartitionReach;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityTerm;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.policy.PreviewRules;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The rules of priority as they should be, in full: what is left out weighs nothing and opens nothing. */
@Schema(name = "PriorityRulesRequest")
public record PriorityRulesRequest(
        @Nullable Map<String, @Nullable Integer> weights,

        @Schema(examples = "PT168H") @Nullable String maxAge,
        @Schema(examples = "PT168H") @Nullable String halfLife,
        @Nullable Map<String, @Nullable Integer> classFactorsPercent,
        @Nullable Map<String, @Nullable Integer> urgencyFactorsPercent,
        @Nullable Map<String, @Nullable Integer> projectFactorsPercent,

        @Schema(description = "Which priority opens which other partitions") @Nullable
        List<@Nullable PartitionReachRequest> reach,

        @Schema(required = true) @Nullable String reason) {

    /** @throws RequestRefused naming what is wrong */
    PriorityRules rules() {
        final List<PartitionReach> openings = PartitionReachRequest.read(reach);
        try {
            return new PriorityRules(
                            weights(weights),
                            span("maxAge", maxAge, PriorityRules.NONE.maxAge()),
                            span("halfLife", halfLife, PriorityRules.NONE.halfLife()),
                            figures("classFactorsPercent", classFactorsPercent),
                            figures("urgencyFactorsPercent", urgencyFactorsPercent),
                            projectFactorsPercent(projectFactorsPercent))
                    .reaching(openings);
        } catch (IllegalArgumentException e) {
            throw RequestRefused.invalid("rules", String.valueOf(e.getMessage()));
        }
    }

    /**
     * Rules that could take the place of those in force.
     *
     * @throws RequestRefused naming what is wrong
     */
    static PreviewRules tried(final PriorityResource.PreviewRequest asked, final PriorityRules inForce) {
        final PreviewRules trial = new PreviewRules(
                weights(asked.weights()),
                asked.maxAge() == null ? null : span("maxAge", asked.maxAge(), inForce.maxAge()),
                asked.classFactorsPercent() == null ? null : figures("classFactorsPercent", asked.classFactorsPercent()),
                asked.urgencyFactorsPercent() == null ? null : figures("urgencyFactorsPercent", asked.urgencyFactorsPercent()),
                asked.projectFactorsPercent() == null ? null : projectFactorsPercent(asked.projectFactorsPercent()),
                asked.reach() == null ? null : PartitionReachRequest.read(asked.reach()));
        if (trial.isEmpty()) {
            throw RequestRefused.invalid(
                    "weights", "must name at least one term and its weight, unless other rules are tried");
        }
        try {
            trial.on(inForce);
        } catch (IllegalArgumentException e) {
            throw RequestRefused.invalid("rules", String.valueOf(e.getMessage()));
        }
        return trial;
    }

    private static Map<ProjectName, Integer> projectFactorsPercent(final @Nullable Map<String, @Nullable Integer> asked) {
        final Map<ProjectName, Integer> projects = new HashMap<>();
        figures("projectFactorsPercent", asked)
                .forEach((name, percent) -> projects.put(Parameters.read("projectFactorsPercent", name, ProjectName::of), percent));
        return projects;
    }

    private static Map<PriorityTerm, Integer> weights(final @Nullable Map<String, @Nullable Integer> asked) {
        final Map<PriorityTerm, Integer> weights = new EnumMap<>(PriorityTerm.class);
        figures("weights", asked).forEach((word, weight) -> weights.put(term(word), weight));
        return weights;
    }

    private static PriorityTerm term(final String word) {
        return PriorityTerm.weighted().stream()
                .filter(term -> term.word().equals(word))
                .findFirst()
                .orElseThrow(() -> RequestRefused.invalid(
                        "weights",
                        "'" + word + "' is no term: one of "
                                + PriorityTerm.weighted().stream()
                                        .map(PriorityTerm::word)
                                        .toList()));
    }

    private static Map<String, Integer> figures(
            final String field, final @Nullable Map<String, @Nullable Integer> asked) {
        final Map<String, Integer> figures = new HashMap<>();
        if (asked != null) {
            asked.forEach((name, figure) -> {
                if (figure == null) {
                    throw RequestRefused.invalid(field, "'" + name + "' has no number");
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
            throw RequestRefused.invalid(field, "'" + text + "' is no ISO 8601 duration such as PT168H");
        }
    }
}
