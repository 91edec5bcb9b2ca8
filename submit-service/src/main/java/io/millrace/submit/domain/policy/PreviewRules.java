package io.millrace.submit.domain.policy;

import io.millrace.model.ProjectName;
import io.millrace.model.policy.PartitionReach;
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
 * Rules of priority to try on the jobs that wait; null: as in force. Other half-lives cannot be tried: who used how much when is not kept.
 *
 * @param weights of the terms it names; others weigh as they do
 * @param reach which priority opens which partitions
 */
public record PreviewRules(
        Map<PriorityTerm, Integer> weights,
        @Nullable Duration fullAge,
        @Nullable Map<String, Integer> classes_percent,
        @Nullable Map<String, Integer> urgencies_percent,
        @Nullable Map<ProjectName, Integer> projects_percent,
        @Nullable List<PartitionReach> reach) {

    /** Nothing is tried. */
    public static final PreviewRules NONE = new PreviewRules(Map.of(), null);

    /** Other weights and openings; factors as in force. */
    public PreviewRules(final Map<PriorityTerm, Integer> weights, final @Nullable List<PartitionReach> reach) {
        this(weights, null, null, null, null, reach);
    }

    public PreviewRules {
        weights = Map.copyOf(weights);
        reach = reach == null ? null : List.copyOf(reach);
    }

    public boolean isEmpty() {
        return weights.isEmpty() && reach == null && anew().isEmpty();
    }

    /** Terms whose factors other rules would find otherwise. */
    Set<PriorityTerm> anew() {
        final Set<PriorityTerm> anew = EnumSet.noneOf(PriorityTerm.class);
        if (fullAge != null) {
            anew.add(PriorityTerm.AGE);
        }
        if (classes_percent != null) {
            anew.add(PriorityTerm.CLASS);
        }
        if (urgencies_percent != null) {
            anew.add(PriorityTerm.URGENCY);
        }
        if (projects_percent != null) {
            anew.add(PriorityTerm.PROJECT);
        }
        return anew;
    }

    /**
     * The rules that would be in force.
     *
     * @throws IllegalArgumentException naming what is wrong and what would do
     */
    public PriorityRules on(final PriorityRules inForce) {
        final PriorityRules weighed = inForce.weighing(weights);
        return new PriorityRules(
                weighed.weights(),
                Objects.requireNonNullElse(fullAge, inForce.maxAge()),
                inForce.halfLife(),
                Objects.requireNonNullElse(classes_percent, inForce.classFactorsPercent()),
                Objects.requireNonNullElse(urgencies_percent, inForce.urgencyFactorsPercent()),
                Objects.requireNonNullElse(projects_percent, inForce.projectFactorsPercent()),
                reach == null ? inForce.reach() : reach);
    }
}
