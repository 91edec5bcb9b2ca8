package io.millrace.classifier.domain;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * A class of jobs: a column of the paper's matrices A and B.
 *
 * @param basic characteristics that a job must state, with the values allowed; at least one (condition 1)
 * @param additional characteristics that are checked only where a job states them; none of the basic ones (condition 2)
 */
public record JobClass(
        String name, Map<Characteristic, AllowedValues> basic, Map<Characteristic, AllowedValues> additional) {

    public JobClass {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a class needs a name");
        }
        if (basic.isEmpty()) {
            throw new IllegalArgumentException("class '" + name + "' needs at least one basic characteristic");
        }
        final Set<Characteristic> both = EnumSet.copyOf(basic.keySet());
        both.retainAll(additional.keySet());
        if (!both.isEmpty()) {
            throw new IllegalArgumentException("class '" + name + "' has "
                    + both.iterator().next().label() + " as basic and as additional: keep one");
        }
        basic = Collections.unmodifiableMap(new EnumMap<>(basic));
        additional = additional.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(additional));
    }
}
