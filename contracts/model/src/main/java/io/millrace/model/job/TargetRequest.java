package io.millrace.model.job;

import io.millrace.model.ClusterId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the owner of a job requests of the cluster that runs it, beside resources and partition.
 *
 * @param rule which of the possible clusters gets the job; null: the rule of the site, or the order of {@code clusters}
 * @param clusters the only clusters that may run it, best first; empty: all
 * @param features what each of its nodes must have; an entry is a feature, or alternatives separated by {@code |}
 * @param exclusive whether it takes whole nodes
 * @param licences by licence: the tokens that it takes while it runs
 * @param software names of required software, which the site mapping of a cluster knows
 * @param diskMib free space that its files and results need on a cluster that stages them, in MiB; 0: not stated
 */
public record TargetRequest(
        @Nullable TargetRule rule,
        List<ClusterId> clusters,
        List<String> features,
        boolean exclusive,
        Map<String, Integer> licences,
        List<String> software,
        long diskMib) {

    public static final TargetRequest NONE =
            new TargetRequest(null, List.of(), List.of(), false, Map.of(), List.of(), 0);

    public TargetRequest {
        clusters = List.copyOf(clusters);
        features = List.copyOf(features);
        licences = Collections.unmodifiableMap(new TreeMap<>(licences));
        software = List.copyOf(software);
        if (diskMib < 0) {
            throw new IllegalArgumentException("disk space cannot be negative: " + diskMib);
        }
    }

    /** Whether the cluster may run the job. */
    public boolean allows(final ClusterId cluster) {
        return clusters.isEmpty() || clusters.contains(cluster);
    }
}
