package io.millrace.migration.domain;

import io.millrace.model.ClusterId;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeMap;

/** All clusters that were seen. */
final class Clusters {

    private final Map<ClusterId, Cluster> known = new TreeMap<>();

    Cluster of(final ClusterId id) {
        return known.computeIfAbsent(id, Cluster::new);
    }

    Collection<Cluster> all() {
        return known.values();
    }

    /** The order in which a job asks: its own cluster, then the performance order, then the others by name. */
    List<Cluster> asked(final ClusterId source, final List<ClusterId> performanceOrder) {
        final SequencedSet<ClusterId> order = new LinkedHashSet<>();
        order.add(source);
        order.addAll(performanceOrder);
        known.values().stream().filter(c -> c.marker() != null).map(Cluster::id).forEach(order::add);
        return order.stream().map(this::of).toList();
    }

    void forgetBefore(final Instant now) {
        known.values().forEach(cluster -> cluster.forgetBefore(now));
    }
}
