package io.millrace.submit.domain.policy;

import io.millrace.model.ProjectName;
import io.millrace.model.policy.PartitionOverflow;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityTerm;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Priority rules for a preview; null: as in force. The half-life cannot be previewed, because past usage is kept only in decayed form.
 *
 * @param weights new weights by term; other terms keep their weight
 * @param overflow which priority opens which partitions
 */
public record PreviewRules(
        Map<PriorityTerm, Integer> weights,
        @Nullable Duration fullAge,
        @Nullable Map<String, Integer> classes_percent,
        @Nullable Map<String, Integer> urgencies_percent,
        @Nullable Map<ProjectName, Integer> projects_percent,
        @Nullable List<PartitionOverflow> overflow) {

    /** The rules in force. */
    public static final PreviewRules NONE = new PreviewRules(Map.of(), null);

    /** Other weights and partition rules; factors as in force. */
    public PreviewRules(final Map<PriorityTerm, Integer> weights, final @Nullable List<PartitionOverflow> overflow) {
        this(weights, null, null, null, null, overflow);
    }

    public PreviewRules {
        weights = Map.copyOf(weights);
        overflow = overflow == null ? null : List.copyOf(overflow);
    }

    public boolean isEmpty() {
        return weights.isEmpty() && overflow == null && recomputedTerms().isEmpty();
    }

    /** Terms whose factors must be recomputed. */
    Set<PriorityTerm> recomputedTerms() {
        final Set<PriorityTerm> recomputed = EnumSet.noneOf(PriorityTerm.class);
        if (fullAge != null) {
            recomputed.add(PriorityTerm.AGE);
        }
        if (classes_percent != null) {
            recomputed.add(PriorityTerm.CLASS);
        }
        if (urgencies_percent != null) {
            recomputed.add(PriorityTerm.URGENCY);
        }
        if (projects_percent != null) {
            recomputed.add(PriorityTerm.PROJECT);
        }
        return recomputed;
    }

    /**
     * The rules in force with these changes.
     *
     * @throws IllegalArgumentException naming the invalid value and the remedy
     */
    public PriorityRules appliedTo(final PriorityRules inForce) {
        final PriorityRules weighed = inForce.weighing(weights);
        return new PriorityRules(
                weighed.weights(),
                Objects.requireNonNullElse(fullAge, inForce.maxAge()),
                inForce.halfLife(),
                Objects.requireNonNullElse(classes_percent, inForce.classFactorsPercent()),
                Objects.requireNonNullElse(urgencies_percent, inForce.urgencyFactorsPercent()),
                Objects.requireNonNullElse(projects_percent, inForce.projectFactorsPercent()),
                overflow == null ? inForce.overflow() : overflow);
    }
}
