package io.millrace.decide;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.ClusterStateKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.SiteMappingObserved;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One cluster at its newest closed revision. Observations take effect with the marker that closes their batch, so that no decision is based
 * on part of a batch.
 */
public final class ClusterView {

    private final ClusterId cluster;
    private final Map<JobKey, JobObserved> jobs = new LinkedHashMap<>();
    private final Map<NodeName, NodeObserved> nodes = new LinkedHashMap<>();
    private final Map<PartitionName, PartitionObserved> partitions = new LinkedHashMap<>();
    private final List<Runnable> batch = new ArrayList<>();
    /** Waiting tasks that are listed on their own, by the local id of their array. */
    private final Map<String, Set<JobKey>> waitingTasks = new HashMap<>();

    private final List<JobKey> gone = new ArrayList<>();
    private final ClusterListener onlooker;
    private int waiting;
    private @Nullable RevisionClosed marker;
    private @Nullable SiteMappingObserved siteMapping;
    private ClusterConditions conditions;

    public ClusterView(final ClusterId cluster) {
        this(cluster, ClusterListener.NONE);
    }

    /** @param onlooker receives the changes when a batch is closed */
    public ClusterView(final ClusterId cluster, final ClusterListener onlooker) {
        this.cluster = cluster;
        this.onlooker = onlooker;
        this.conditions = ClusterConditions.unknown(cluster);
    }

    /** Applies one observation; the view changes when the batch is closed. Returns true if this record closed a batch. */
    public boolean apply(final ClusterStateEvent event) {
        switch (event) {
            case JobObserved job -> batch.add(() -> put(job));
            case NodeObserved node -> batch.add(() -> onlooker.nodeChanged(nodes.put(node.node(), node), node));
            case PartitionObserved partition ->
                batch.add(() -> {
                    partitions.put(partition.partition(), partition);
                    onlooker.partitionsChanged();
                });
            case SiteMappingObserved around -> batch.add(() -> siteMapping = around);
            case ClusterConditions limits -> batch.add(() -> conditions = limits);
            case RevisionClosed closed -> {
                batch.forEach(Runnable::run);
                batch.clear();
                marker = closed;
                return true;
            }
        }
        return false;
    }

    /** Applies a tombstone of {@code millrace.cluster-state}. */
    public void remove(final String key) {
        batch.add(
                switch (ClusterStateKey.of(key)) {
                    case ClusterStateKey.Job(var job) -> () -> removeJob(job);
                    case ClusterStateKey.Node(var on, var node) -> () -> onlooker.nodeChanged(nodes.remove(node), null);
                    case ClusterStateKey.Partition(var on, var partition) ->
                        () -> {
                            partitions.remove(partition);
                            onlooker.partitionsChanged();
                        };
                    case ClusterStateKey.SiteMapping(var on) -> () -> siteMapping = null;
                    case ClusterStateKey.Conditions(var on) -> () -> conditions = ClusterConditions.unknown(cluster);
                    case ClusterStateKey.Marker(var on) -> () -> {};
                    case ClusterStateKey.Other(var on, var about) -> () -> {};
                });
    }

    private void removeJob(final JobKey job) {
        count(jobs.remove(job), -1);
        gone.add(job);
        onlooker.jobChanged(job);
    }

    private void put(final JobObserved job) {
        count(jobs.put(job.job(), job), -1);
        count(job, 1);
        onlooker.jobChanged(job.job());
    }

    private void count(final @Nullable JobObserved job, final int sign) {
        if (job == null || !job.state().isWaiting()) {
            return;
        }
        waiting += sign;
        final ArrayTasks array = job.detail().array();
        if (array == null || job.isArrayRecord()) {
            return;
        }
        if (sign > 0) {
            waitingTasks
                    .computeIfAbsent(array.array(), id -> new LinkedHashSet<>())
                    .add(job.job());
        } else {
            waitingTasks.computeIfPresent(
                    array.array(), (id, tasks) -> tasks.remove(job.job()) && tasks.isEmpty() ? null : tasks);
        }
    }

    /** The waiting tasks of an array that are listed on their own, not in the record of the array. */
    Set<JobKey> waitingTasks(final String array) {
        return waitingTasks.getOrDefault(array, Set.of());
    }

    /** The jobs that left the view since the last call; state derived from them can be dropped. */
    public List<JobKey> takeGone() {
        final List<JobKey> taken = List.copyOf(gone);
        gone.clear();
        return taken;
    }

    public ClusterId cluster() {
        return cluster;
    }

    /** The newest marker; null until a first batch was closed. */
    public @Nullable RevisionClosed marker() {
        return marker;
    }

    /** The cluster's names for users, projects and software; null if its agent has not published any. */
    public @Nullable SiteMappingObserved siteMapping() {
        return siteMapping;
    }

    /** What limits jobs beside nodes and partitions. */
    public ClusterConditions conditions() {
        return conditions;
    }

    /** Its node features, software and licences. */
    public ClusterOffering offering() {
        return new ClusterOffering(nodes(), siteMapping, conditions);
    }

    public Collection<JobObserved> jobs() {
        return Collections.unmodifiableCollection(jobs.values());
    }

    /** How many jobs wait. */
    public int waiting() {
        return waiting;
    }

    public @Nullable JobObserved job(final JobKey key) {
        return jobs.get(key);
    }

    public @Nullable NodeObserved node(final NodeName node) {
        return nodes.get(node);
    }

    public Collection<NodeObserved> nodes() {
        return Collections.unmodifiableCollection(nodes.values());
    }

    public @Nullable PartitionObserved partition(final PartitionName name) {
        return partitions.get(name);
    }

    public Collection<PartitionObserved> partitions() {
        return Collections.unmodifiableCollection(partitions.values());
    }
}
