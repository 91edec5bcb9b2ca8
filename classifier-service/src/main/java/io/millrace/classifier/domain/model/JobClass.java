package io.millrace.classifier.domain.model;

import io.millrace.model.ClusterId;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A class of jobs: c_j of the paper, with its columns of the matrices A and B.
 *
 * @param mandatory characteristics that a job must give, each with the domain allowed; at least one (condition 1)
 * @param optional characteristics that are compared only if a job gives them; none of the mandatory ones (condition 2)
 * @param clusters to which jobs of the class may be moved; empty: all
 * @param movedRunTime the greatest run time of a moved job; null: no limit beyond the range of the class
 */
public record JobClass(
        String name,
        Map<String, Domain> mandatory,
        Map<String, Domain> optional,
        List<ClusterId> clusters,
        @Nullable Duration movedRunTime) {

    /** Without restrictions of the clusters. */
    public JobClass(final String name, final Map<String, Domain> mandatory, final Map<String, Domain> optional) {
        this(name, mandatory, optional, List.of(), null);
    }

    public JobClass {
        clusters = List.copyOf(clusters);
        if (movedRunTime != null && !movedRunTime.isPositive()) {
            throw new IllegalArgumentException("moved-run-time must be greater than zero, got " + movedRunTime);
        }
        if (name.isBlank()) {
            throw new IllegalArgumentException("a class needs a name");
        }
        mandatory = Collections.unmodifiableMap(new LinkedHashMap<>(mandatory));
        optional = Collections.unmodifiableMap(new LinkedHashMap<>(optional));
        if (mandatory.isEmpty()) {
            throw new IllegalArgumentException("class '" + name + "' needs at least one mandatory characteristic");
        }
        for (final String characteristic : mandatory.keySet()) {
            if (optional.containsKey(characteristic)) {
                throw new IllegalArgumentException("class '" + name + "' has " + characteristic
                        + " as a mandatory and as an optional characteristic: keep one");
            }
        }
    }

    /** What the class allows of a characteristic (D_ij); null if it does not use it. */
    public @Nullable Domain domain(final String characteristic) {
        final Domain required = mandatory.get(characteristic);
        return required == null ? optional.get(characteristic) : required;
    }
}
