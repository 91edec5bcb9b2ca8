package io.millrace.migration.domain;

import org.jspecify.annotations.Nullable;

/**
 * How many global jobs may be in flight at a time: placed on a cluster, and the results not back yet. Null: not limited.
 *
 * @param perUser of one owner
 * @param perCluster on one target cluster
 * @param perLink of one source cluster on another, target cluster
 */
public record InFlightLimits(
        @Nullable Integer perUser,
        @Nullable Integer perCluster,
        @Nullable Integer perLink) {

    public static final InFlightLimits NONE = new InFlightLimits(null, null, null);

    public InFlightLimits {
        requirePositive("max-jobs-per-user", perUser);
        requirePositive("max-jobs-per-cluster", perCluster);
        requirePositive("max-jobs-per-link", perLink);
    }

    public boolean areSet() {
        return !equals(NONE);
    }

    private static void requirePositive(final String key, final @Nullable Integer limit) {
        if (limit != null && limit < 1) {
            throw new IllegalArgumentException("millrace.migration." + key + " must be at least 1, got " + limit);
        }
    }
}
