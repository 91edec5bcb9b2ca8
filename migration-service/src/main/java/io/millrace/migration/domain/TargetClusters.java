package io.millrace.migration.domain;

import io.millrace.model.ClusterId;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeMap;

/** All clusters that have been observed. */
public final class TargetClusters {

    private final Map<ClusterId, TargetCluster> known = new TreeMap<>();

    public TargetCluster of(final ClusterId id) {
        return known.computeIfAbsent(id, TargetCluster::new);
    }

    Collection<TargetCluster> all() {
        return known.values();
    }

    /** The order in which clusters are tried for a job: its source cluster, the performance order, then the others by name. */
    List<TargetCluster> inOrder(final ClusterId source, final List<ClusterId> performanceOrder) {
        final SequencedSet<ClusterId> order = new LinkedHashSet<>();
        order.add(source);
        order.addAll(performanceOrder);
        known.values().stream()
                .filter(c -> c.marker() != null)
                .map(TargetCluster::id)
                .forEach(order::add);
        return order.stream().map(this::of).toList();
    }

    public void forgetBefore(final Instant now) {
        known.values().forEach(cluster -> cluster.forgetBefore(now));
    }
}
