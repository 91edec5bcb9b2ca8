package io.millrace.submit.domain;

import io.millrace.model.policy.PartitionReach;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityTerm;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rules of priority to try on the jobs that wait.
 *
 * @param weights of the terms it names; others weigh as they do
 * @param reach which priority opens which partitions; null: as in force
 */
public record Trial(
        Map<PriorityTerm, Integer> weights, @Nullable List<PartitionReach> reach) {

    /** Nothing is tried. */
    public static final Trial NONE = new Trial(Map.of(), null);

    public Trial {
        weights = Map.copyOf(weights);
        reach = reach == null ? null : List.copyOf(reach);
    }

    public boolean isEmpty() {
        return weights.isEmpty() && reach == null;
    }

    /**
     * The rules that would be in force.
     *
     * @throws IllegalArgumentException naming what is wrong and what would do
     */
    public PriorityRules on(final PriorityRules inForce) {
        final PriorityRules weighed = inForce.weighing(weights);
        return reach == null ? weighed : weighed.reaching(reach);
    }
}
