package io.millrace.model.cluster;

import io.millrace.model.NodeName;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Where on a cluster a job may run, beside its partition.
 *
 * @param features what each of its nodes must have; all of them
 * @param coresPerNode cores on each node; 0: any
 * @param exclusive whether it takes whole nodes
 * @param nodes nodes that it names; empty: any
 * @param licences licences by name, tokens taken while it runs
 */
public record Placement(
        List<String> features,
        int coresPerNode,
        boolean exclusive,
        List<NodeName> nodes,
        Map<String, Integer> licences) {

    public static final Placement ANYWHERE = new Placement(List.of(), 0, false, List.of(), Map.of());

    public Placement {
        features = List.copyOf(features);
        nodes = List.copyOf(nodes);
        licences = Map.copyOf(licences);
        if (coresPerNode < 0) {
            throw new IllegalArgumentException("cores per node cannot be negative: " + coresPerNode);
        }
    }

    /** The placement of so many jobs that take their own licences. */
    public Placement times(final int count) {
        return count == 1 || licences.isEmpty()
                ? this
                : new Placement(
                        features,
                        coresPerNode,
                        exclusive,
                        nodes,
                        licences.entrySet().stream()
                                .collect(Collectors.toMap(Map.Entry::getKey, held -> held.getValue() * count)));
    }
}
