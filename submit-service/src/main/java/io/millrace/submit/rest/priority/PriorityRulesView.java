package io.millrace.submit.rest.priority;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityRulesSet;
import io.millrace.model.policy.PriorityTerm;
import io.millrace.model.policy.Request.PriorityRulesRequested;
import io.millrace.submit.domain.policy.PriorityRulesState;
import io.millrace.submit.policy.ChangePriority;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The priority rules. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "PriorityRules")
public record PriorityRulesView(
        @Schema(description = "Also the ETag; 0: never set") long version,

        @Schema(description = "Points of each term at a factor of 100 %; their sum is less than 1000000")
        Map<String, Integer> weights,

        @Schema(description = "Waiting time at which the age factor reaches 100 %", examples = "PT168H")
        String maxAge,

        @Schema(description = "Age at which past usage counts half", examples = "PT168H")
        String halfLife,

        @Schema(description = "Factor by class in percent") Map<String, Integer> classFactorsPercent,

        @Schema(description = "Factor by quality of service in percent")
        Map<String, Integer> urgencyFactorsPercent,

        @Schema(description = "Factor by project in percent")
        Map<String, Integer> projectFactorsPercent,

        @Schema(description = "Rules that open other partitions from a priority on")
        List<PartitionOverflowView> overflow,

        @Nullable String author,
        @Nullable String reason,
        @Nullable Instant changedAt,

        @Schema(description = "A requested change that is not in force") @Nullable
        RulesRequestView request) {

    /** A requested change. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "PriorityChange")
    public record RulesRequestView(
            String author,
            String reason,
            long basedOn,
            Instant requestedAt,

            @Schema(description = "Another change came first; read the current version and retry")
            boolean refused,

            @Schema(description = "Possibly unintended effects") @Nullable
            List<String> warnings) {
        static RulesRequestView of(final ChangePriority.Accepted done) {
            return of(done.request(), done.request().basedOn(), done.warnings());
        }

        private static RulesRequestView of(
                final PriorityRulesRequested requested, final long version, final @Nullable List<String> warnings) {
            return new RulesRequestView(
                    requested.author().value(),
                    requested.reason(),
                    requested.basedOn(),
                    requested.requestedAt(),
                    version > requested.basedOn(),
                    warnings);
        }
    }

    static PriorityRulesView of(final PriorityRulesState shown) {
        final PriorityRules rules = shown.rules();
        final PriorityRulesSet set = shown.inForce();
        return new PriorityRulesView(
                shown.version(),
                PriorityTerm.weighted().stream()
                        .collect(
                                Collectors.toMap(PriorityTerm::word, rules::weight, (one, other) -> one, TreeMap::new)),
                rules.maxAge().toString(),
                rules.halfLife().toString(),
                new TreeMap<>(rules.classFactorsPercent()),
                new TreeMap<>(rules.urgencyFactorsPercent()),
                rules.projectFactorsPercent().entrySet().stream()
                        .collect(Collectors.toMap(
                                entry -> entry.getKey().value(),
                                Map.Entry::getValue,
                                (one, other) -> one,
                                TreeMap::new)),
                rules.overflowRules().stream().map(PartitionOverflowView::of).toList(),
                set == null ? null : set.author().value(),
                set == null ? null : set.reason(),
                set == null ? null : set.changedAt(),
                shown.request() == null ? null : RulesRequestView.of(shown.request(), shown.version(), null));
    }
}
