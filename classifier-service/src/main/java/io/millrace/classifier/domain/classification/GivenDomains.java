package io.millrace.classifier.domain.classification;

import io.millrace.classifier.domain.model.Domain;
import org.jspecify.annotations.Nullable;

/** The domains that a job requires, by the index of the characteristic in the model; see {@link Classifier#given}. */
public final class GivenDomains {

    private final @Nullable Domain[] domains;

    GivenDomains(final @Nullable Domain[] domains) {
        this.domains = domains;
    }

    /** @return null: the job does not give the characteristic */
    @Nullable
    Domain get(final int characteristic) {
        return domains[characteristic];
    }

    boolean has(final int characteristic) {
        return domains[characteristic] != null;
    }
}
