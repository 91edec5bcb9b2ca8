package io.millrace.migration.domain.cluster;

import io.millrace.model.ClusterId;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Submitted;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeMap;

/** All clusters that have been observed. */
public final class TargetClusters {

    private final Map<ClusterId, TargetCluster> known = new HashMap<>();
    private final Map<ClusterId, TargetCluster> byName = new TreeMap<>();

    public TargetCluster of(final ClusterId id) {
        final TargetCluster cluster = known.get(id);
        if (cluster != null) {
            return cluster;
        }
        final TargetCluster fresh = new TargetCluster(id);
        known.put(id, fresh);
        byName.put(id, fresh);
        return fresh;
    }

    public Collection<TargetCluster> all() {
        return byName.values();
    }

    /** The order in which clusters are tried for a job: its source cluster, the performance order, then the others by name. */
    public List<TargetCluster> inOrder(final ClusterId source, final List<ClusterId> performanceOrder) {
        final SequencedSet<ClusterId> order = new LinkedHashSet<>();
        order.add(source);
        order.addAll(performanceOrder);
        byName.values().stream()
                .filter(c -> c.marker() != null)
                .map(TargetCluster::id)
                .forEach(order::add);
        return order.stream().map(this::of).toList();
    }

    /** Whether the run of the current attempt of a job was observed. */
    public boolean hasStarted(final GlobalJob job) {
        if (!(job.state() instanceof Submitted submitted) || submitted.localJob() == null) {
            return false;
        }
        final JobObserved local = of(submitted.localJob().cluster()).job(submitted.localJob());
        return local != null && (local.restarts() > 0 || hasStarted(local.state()));
    }

    private static boolean hasStarted(final JobState state) {
        return switch (state) {
            case JobState.Running r -> true;
            case JobState.Suspended s -> true;
            case JobState.Completing c -> true;
            case JobState.Unsettled u -> true;
            case JobState.Queued q -> false;
            case JobState.Held h -> false;
            case JobState.Unknown u -> false;
        };
    }

    public void forgetBefore(final Instant now) {
        byName.values().forEach(cluster -> cluster.forgetBefore(now));
    }
}
