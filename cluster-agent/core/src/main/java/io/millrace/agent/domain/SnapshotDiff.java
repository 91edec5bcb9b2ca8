package io.millrace.agent.domain;

import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.view.ClusterView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What has to be said so that the log shows what was observed: nothing that it says already.
 *
 * @param changed observations that are new or differ
 * @param removed keys that are to be removed
 */
public record SnapshotDiff(List<ClusterStateEvent> changed, List<String> removed) {

    /**
     * @param said the newest revision on the log
     * @param surroundings null: this cluster calls everything by the site's names
     * @param jobs as they shall stand there, the unsettled among them
     */
    public static SnapshotDiff between(
            final ClusterView said,
            final Collection<JobObserved> jobs,
            final Collection<NodeObserved> nodes,
            final Collection<PartitionObserved> partitions,
            final @Nullable SiteMappingObserved surroundings) {
        final Set<ClusterStateEvent> before = new HashSet<>();
        before.addAll(said.jobs());
        before.addAll(said.nodes());
        before.addAll(said.partitions());
        if (said.surroundings() != null) {
            before.add(said.surroundings());
        }
        final List<ClusterStateEvent> fresh = new ArrayList<>();
        final Set<String> keys = new HashSet<>();
        final List<SiteMappingObserved> around = surroundings == null ? List.of() : List.of(surroundings);
        for (final Collection<? extends ClusterStateEvent> family : List.of(around, partitions, nodes, jobs)) {
            for (final ClusterStateEvent event : family) {
                keys.add(event.key());
                if (!before.contains(event)) {
                    fresh.add(event);
                }
            }
        }
        final List<String> gone = before.stream()
                .map(ClusterStateEvent::key)
                .filter(key -> !keys.contains(key))
                .sorted()
                .toList();
        return new SnapshotDiff(fresh, gone);
    }

    public boolean isEmpty() {
        return changed.isEmpty() && removed.isEmpty();
    }
}
