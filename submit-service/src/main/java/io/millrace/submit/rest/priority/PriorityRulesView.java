package io.millrace.submit.rest.priority;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityRulesSet;
import io.millrace.model.policy.PriorityTerm;
import io.millrace.model.policy.Request.PriorityRulesRequested;
import io.millrace.submit.ChangePriority;
import io.millrace.submit.domain.policy.PriorityRulesState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** How priorities are weighed. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "PriorityRules")
public record PriorityRulesView(
        @Schema(description = "Also the ETag; 0: none were ever set")
        long version,

        @Schema(description = "Points of each term at a factor of 100 %; together below 1000000")
        Map<String, Integer> weights,

        @Schema(description = "A job that has waited so long has an age of 100 %", examples = "PT168H")
        String maxAge,

        @Schema(description = "Use that lies so far back counts half", examples = "PT168H")
        String halfLife,

        @Schema(description = "Factor of each class in per cent")
        Map<String, Integer> classFactorsPercent,

        @Schema(description = "Factor of each quality of service in per cent")
        Map<String, Integer> urgencyFactorsPercent,

        @Schema(description = "Factor of each project in per cent")
        Map<String, Integer> projectFactorsPercent,

        @Schema(description = "Which priority opens which other partitions")
        List<PartitionReachView> reach,

        @Nullable String author,
        @Nullable String reason,
        @Nullable Instant changedAt,

        @Schema(description = "A change asked for that is not in force") @Nullable
        RulesRequestView request) {

    /** A change asked for. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "PriorityChange")
    public record RulesRequestView(
            String author,
            String reason,
            long basedOn,
            Instant requestedAt,

            @Schema(description = "Another change went first: read the rules again and ask anew")
            boolean refused,

            @Schema(description = "What is allowed and perhaps not meant") @Nullable
            List<String> warnings) {
        static RulesRequestView of(final ChangePriority.Accepted done) {
            return of(done.request(), done.request().basedOn(), done.warnings());
        }

        private static RulesRequestView of(
                final PriorityRulesRequested asked, final long version, final @Nullable List<String> warnings) {
            return new RulesRequestView(
                    asked.author().value(),
                    asked.reason(),
                    asked.basedOn(),
                    asked.requestedAt(),
                    version > asked.basedOn(),
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
                rules.openings().stream().map(PartitionReachView::of).toList(),
                set == null ? null : set.author().value(),
                set == null ? null : set.reason(),
                set == null ? null : set.changedAt(),
                shown.asked() == null ? null : RulesRequestView.of(shown.asked(), shown.version(), null));
    }
}
