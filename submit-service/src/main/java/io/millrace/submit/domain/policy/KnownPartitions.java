package io.millrace.submit.domain.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.policy.PartitionOverflow;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.UnknownCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The partitions of each cluster, to validate rules that open partitions. */
public record KnownPartitions(SortedMap<ClusterId, Known> clusters) {

    /** A cluster and its partitions. */
    public record Known(RevisionClosed marker, SortedSet<PartitionName> partitions) {

        private boolean hasAny(final PartitionOverflow opening) {
            return opening.to().stream().anyMatch(partitions::contains);
        }

        /** The capability to start a job in another partition: Millrace moves it, or the local scheduler chooses. */
        private Capability requiredCapability() {
            return marker.control() == Control.DIRECTED ? Capability.MOVE : Capability.PARTITION_CHOICE;
        }

        private boolean canOpen() {
            return marker.capabilities().contains(requiredCapability());
        }
    }

    /** The partitions of one cluster; empty for an unknown cluster. */
    public Set<PartitionName> partitionsOf(final ClusterId cluster) {
        final Known known = clusters.get(cluster);
        return known == null ? Set.of() : known.partitions();
    }

    /**
     * Accepts rules that are in force already, even if their cluster or partition no longer exists.
     *
     * @throws RequestRefused naming each unknown cluster and partition, and the known ones
     */
    public void requireKnown(final List<PartitionOverflow> requested, final List<PartitionOverflow> inForce) {
        final List<RequestRefused.Field> unknown = new ArrayList<>();
        for (int i = 0; i < requested.size(); i++) {
            if (!inForce.contains(requested.get(i))) {
                check("overflow." + i, requested.get(i), unknown);
            }
        }
        if (!unknown.isEmpty()) {
            throw RequestRefused.invalid(unknown);
        }
    }

    private void check(final String field, final PartitionOverflow opening, final List<RequestRefused.Field> unknown) {
        final ClusterId cluster = opening.cluster();
        if (cluster != null && !clusters.containsKey(cluster)) {
            unknown.add(new RequestRefused.Field(
                    field + ".cluster", "names " + UnknownCluster.text(cluster, clusters.keySet())));
            return;
        }
        final SortedSet<PartitionName> there = new TreeSet<>();
        on(cluster).forEach(known -> there.addAll(known.partitions()));
        final String known = cluster == null ? "; known partitions: " : "; partitions of " + cluster + ": ";
        final PartitionName from = opening.from();
        if (from != null && !there.contains(from)) {
            unknown.add(new RequestRefused.Field(
                    field + ".from", "names unknown partition '" + from + "'" + known + there));
        }
        opening.to().stream()
                .filter(to -> !there.contains(to))
                .forEach(to -> unknown.add(new RequestRefused.Field(
                        field + ".to", "names unknown partition '" + to + "'" + known + there)));
    }

    /** Warnings about rules that have no effect on a cluster because it lacks a capability. */
    public List<String> warnings(final List<PartitionOverflow> requested) {
        return requested.stream()
                .flatMap(opening -> on(opening.cluster())
                        .filter(known -> known.hasAny(opening) && !known.canOpen())
                        .map(KnownPartitions::cannot))
                .distinct()
                .toList();
    }

    private static String cannot(final Known known) {
        final RevisionClosed marker = known.marker();
        return "the rule has no effect on " + marker.cluster() + " (" + marker.wlm() + ", "
                + marker.control().name().toLowerCase(Locale.ROOT) + "): "
                + marker.notes()
                        .getOrDefault(
                                known.requiredCapability(),
                                known.requiredCapability() == Capability.MOVE
                                        ? "it does not support moving jobs between partitions"
                                        : "its scheduler does not accept several partitions per job");
    }

    private Stream<Known> on(final @Nullable ClusterId cluster) {
        return clusters.values().stream()
                .filter(known -> cluster == null || known.marker().cluster().equals(cluster));
    }

    public static KnownPartitions of(final Stream<Known> clusters) {
        final SortedMap<ClusterId, Known> byName = new TreeMap<>();
        clusters.forEach(known -> byName.put(known.marker().cluster(), known));
        return new KnownPartitions(byName);
    }
}
