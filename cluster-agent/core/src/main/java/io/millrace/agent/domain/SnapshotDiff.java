package io.millrace.agent.domain;

import io.millrace.decide.ClusterView;
import io.millrace.model.Event;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.SiteMappingObserved;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The events that bring the published state to the observed state.
 *
 * @param changed new or changed observations
 * @param removed keys to remove
 */
public record SnapshotDiff(List<ClusterStateEvent> changed, List<String> removed) {

    /**
     * @param published the last published revision
     * @param siteMapping the site mapping; null: none
     * @param conditions not published if nothing is known
     * @param jobs the jobs to publish, including unsettled ones
     */
    public static SnapshotDiff between(
            final ClusterView published,
            final Collection<JobObserved> jobs,
            final Collection<NodeObserved> nodes,
            final Collection<PartitionObserved> partitions,
            final @Nullable SiteMappingObserved siteMapping,
            final ClusterConditions conditions) {
        final Set<ClusterStateEvent> before = new HashSet<>();
        before.addAll(published.jobs());
        before.addAll(published.nodes());
        before.addAll(published.partitions());
        if (published.siteMapping() != null) {
            before.add(published.siteMapping());
        }
        final ClusterConditions none = ClusterConditions.unknown(conditions.cluster());
        if (!published.conditions().equals(none)) {
            before.add(published.conditions());
        }
        final List<ClusterStateEvent> fresh = new ArrayList<>();
        final Set<String> keys = new HashSet<>();
        final List<ClusterStateEvent> around = new ArrayList<>();
        if (siteMapping != null) {
            around.add(siteMapping);
        }
        if (!conditions.equals(none)) {
            around.add(conditions);
        }
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

    /** The same without some events. */
    public SnapshotDiff without(final Set<? extends Event> some) {
        return some.isEmpty()
                ? this
                : new SnapshotDiff(
                        changed.stream().filter(event -> !some.contains(event)).toList(), removed);
    }

    public boolean isEmpty() {
        return changed.isEmpty() && removed.isEmpty();
    }
}
