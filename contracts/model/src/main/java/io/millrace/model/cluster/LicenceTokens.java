package io.millrace.model.cluster;

/**
 * The tokens of one licence that a workload manager counts.
 *
 * @param total all that jobs may use
 * @param free those that are neither used nor reserved
 */
public record LicenceTokens(int total, int free) {

    public LicenceTokens {
        if (total < 0 || free < 0) {
            throw new IllegalArgumentException("licence tokens cannot be negative: total=" + total + " free=" + free);
        }
    }
}
