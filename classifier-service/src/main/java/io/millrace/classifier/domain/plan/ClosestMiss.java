package io.millrace.classifier.domain.plan;

import io.millrace.classifier.domain.model.Domain;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The class that an unclassified job fails by the fewest characteristics. Of several, it is the one of whose characteristics the job
 * satisfies the largest share, then the first in the model.
 */
public record ClosestMiss(String jobClass, List<Failure> failures) {

    /**
     * A characteristic that excludes the class.
     *
     * @param given null: the job does not give it
     */
    public record Failure(String characteristic, @Nullable Domain given, Domain allowed) {
        @Override
        public String toString() {
            return given == null
                    ? characteristic + " is not given"
                    : characteristic + "=" + given + " is not inside " + allowed;
        }
    }

    public ClosestMiss {
        failures = List.copyOf(failures);
    }

    @Override
    public String toString() {
        return jobClass + ": " + failures.stream().map(Failure::toString).collect(Collectors.joining(", "));
    }
}
