package io.millrace.classifier.domain.classification;

import io.millrace.classifier.domain.model.Domain;
import org.jspecify.annotations.Nullable;

/** The domains that a job requires, by the index of the characteristic in the model; see {@link Classifier#given}. */
public final class GivenDomains {

    private final @Nullable Domain[] domains;
    /** Which of them are given, as bits. */
    private final long[] given;

    GivenDomains(final @Nullable Domain[] domains) {
        this.domains = domains;
        given = new long[(domains.length + 63) >>> 6];
        for (int i = 0; i < domains.length; i++) {
            if (domains[i] != null) {
                given[i >>> 6] |= 1L << i;
            }
        }
    }

    /** Whether all of these characteristics are given. */
    boolean hasAll(final long[] characteristics) {
        for (int w = 0; w < given.length; w++) {
            if ((characteristics[w] & ~given[w]) != 0) {
                return false;
            }
        }
        return true;
    }

    /** How many of these characteristics are given. */
    int count(final long[] characteristics) {
        int count = 0;
        for (int w = 0; w < given.length; w++) {
            count += Long.bitCount(characteristics[w] & given[w]);
        }
        return count;
    }

    /** @return null: the job does not give the characteristic */
    @Nullable
    Domain get(final int characteristic) {
        return domains[characteristic];
    }

    boolean has(final int characteristic) {
        return domains[characteristic] != null;
    }

    int size() {
        return domains.length;
    }
}
