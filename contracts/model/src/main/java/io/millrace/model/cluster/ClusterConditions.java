package io.millrace.model.cluster;

import io.millrace.model.ClusterId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What limits jobs on a cluster beside its nodes and partitions, as far as its agent can observe it.
 *
 * @param stagingFreeMib free space for staged jobs, in MiB, rounded down to two significant digits; null: unknown
 * @param licences by name; null: the workload manager does not report licences
 * @param maintenance the maintenance windows that have not ended, by begin
 */
public record ClusterConditions(
        ClusterId cluster,
        @Nullable Long stagingFreeMib,
        @Nullable Map<String, LicenceTokens> licences,
        List<Maintenance> maintenance)
        implements ClusterStateEvent {

    public ClusterConditions {
        licences = licences == null ? null : Map.copyOf(licences);
        maintenance = List.copyOf(maintenance);
    }

    /** Nothing is known. */
    public static ClusterConditions unknown(final ClusterId cluster) {
        return new ClusterConditions(cluster, null, null, List.of());
    }

    public static String keyOf(final ClusterId cluster) {
        return new ClusterStateKey.Conditions(cluster).toString();
    }

    @Override
    public String key() {
        return keyOf(cluster);
    }
}
