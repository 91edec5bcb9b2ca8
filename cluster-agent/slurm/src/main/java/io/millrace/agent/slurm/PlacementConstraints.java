package io.millrace.agent.slurm;

import io.millrace.model.cluster.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Where a job may run, from what its owner asked for. */
final class PlacementConstraints {

    private PlacementConstraints() {}

    static Placement of(final QueuedJob job) {
        return new Placement(
                features(job.cell("feature")),
                coresPerNode(job),
                exclusive(job.cell("oversubscribe")),
                NodeList.read(job.cell("reqnodes")),
                licences(job.cell("licenses")));
    }

    /**
     * {@code ssd&ib}: both; counts ({@code ssd*2}) are left out. Alternatives ({@code a|b}, {@code [a|b]}) stay one entry, in Slurm's
     * own words: no single node has to have all of them.
     */
    static List<String> features(final String constraint) {
        if (constraint.isEmpty()) {
            return List.of();
        }
        if (constraint.matches(".*[|\\[(].*")) {
            return List.of(constraint);
        }
        final List<String> features = new ArrayList<>();
        for (final String feature : constraint.split("[&,]")) {
            features.add(feature.replaceFirst("\\*\\d+$", ""));
        }
        return features;
    }

    private static int coresPerNode(final QueuedJob job) {
        final String tasks = job.cell("ntpernode");
        final String each = job.cell("cpuspertask");
        return tasks.matches("\\d{1,6}") && each.matches("\\d{1,6}")
                ? Integer.parseInt(tasks) * Integer.parseInt(each)
                : 0;
    }

    /** {@code USER} and {@code MCS} share the nodes with other jobs of the same people, which is not whole nodes. */
    private static boolean exclusive(final String oversubscribe) {
        return oversubscribe.equals("NO") || oversubscribe.equals("TOPO");
    }

    /** {@code matlab:2,ansys@server:1}; a licence without a figure is one. */
    static Map<String, Integer> licences(final String text) {
        final Map<String, Integer> licences = new TreeMap<>();
        for (final String licence : text.isEmpty() ? new String[0] : text.split("[,;|]")) {
            final String[] parts = licence.split("[:=]", 2);
            final boolean counted = parts.length > 1 && parts[1].matches("\\d{1,9}");
            licences.merge(parts[0], counted ? Integer.parseInt(parts[1]) : 1, Integer::sum);
        }
        return licences;
    }
}
