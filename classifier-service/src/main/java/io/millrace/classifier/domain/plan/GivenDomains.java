package io.millrace.classifier.domain.plan;

import io.millrace.classifier.domain.model.Domain;
import org.jspecify.annotations.Nullable;

/** The domains that a job requires, by the index of the characteristic in the model; see {@link Classifier#given}. */
public final class GivenDomains {

    private final @Nullable Domain[] domains;

    GivenDomains(final @Nullable Domain[] domains) {
        this.domains = domains;
    }

    /** The domain of a characteristic; null if the job does not give it. */
    public @Nullable Domain get(final int characteristic) {
        return domains[characteristic];
    }

    boolean has(final int characteristic) {
        return domains[characteristic] != null;
    }
}
