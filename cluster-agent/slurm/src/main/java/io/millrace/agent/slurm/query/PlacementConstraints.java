package io.millrace.agent.slurm.query;

import io.millrace.agent.slurm.format.NodeList;
import io.millrace.model.cluster.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The placement constraints that a job's owner requested. */
final class PlacementConstraints {

    private PlacementConstraints() {}

    static Placement of(final QueuedJob job) {
        return new Placement(
                features(job.cell("feature")),
                coresPerNode(job),
                exclusive(job.cell(QueuedJob.SHARING)),
                NodeList.read(job.cell("reqnodes")),
                licences(job.cell("licenses")));
    }

    /**
     * The features that every node must have: two for {@code ssd&ib}; counts such as {@code ssd*2} are dropped. Alternatives ({@code a|b},
     * {@code [a|b]}) stay one entry in Slurm's notation, because no single node needs all of them.
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

    /** {@code USER} and {@code MCS} share nodes among jobs of the same user or label, so they are not exclusive. */
    private static boolean exclusive(final String sharing) {
        final int slash = sharing.indexOf('/');
        return slash < 0
                ? sharing.equals("NO") || sharing.equals("TOPO")
                : sharing.startsWith("NODE/") || sharing.startsWith("TOPO/");
    }

    /** {@code matlab:2,ansys@server:1}; a licence without a count counts as one. */
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
