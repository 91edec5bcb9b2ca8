package io.millrace.migration.domain;

import io.millrace.decide.SettingBounds;
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
        requireAtLeastOne("max-jobs-per-user", perUser);
        requireAtLeastOne("max-jobs-per-cluster", perCluster);
        requireAtLeastOne("max-jobs-per-link", perLink);
    }

    public boolean areSet() {
        return !equals(NONE);
    }

    private static void requireAtLeastOne(final String key, final @Nullable Integer limit) {
        if (limit != null) {
            SettingBounds.requireAtLeastOne("millrace.migration." + key, limit);
        }
    }
}
