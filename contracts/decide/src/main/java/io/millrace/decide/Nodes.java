package io.millrace.decide;

import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import io.millrace.model.cluster.StartRule;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The nodes of a cluster that are up: what each has in all, and which of them may have a job. A node is known by its index here. */
public final class Nodes {

    /** A node that states no memory is not limited by it. */
    static final long UNLIMITED_MIB = Long.MAX_VALUE / 2;

    private record Where(@Nullable PartitionName partition, List<String> features, List<NodeName> named) {}

    private final List<NodeObserved> nodes;
    private final Map<NodeName, Integer> index;
    /** Whether every node is of every partition, or nothing is known of partitions. */
    private final boolean onePartition;

    private final int largest;
    private final int mostGpus;
    private final long cores;
    private final StartRule rule;
    private final Map<Where, int[]> eligible = new HashMap<>();

    Nodes(final Collection<NodeObserved> all, final StartRule rule) {
        this.rule = rule;
        nodes = all.stream()
                .filter(node -> node.availability() == Availability.UP)
                .toList();
        index = HashMap.newHashMap(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            index.put(nodes.get(i).node(), i);
        }
        onePartition = nodes.stream().map(NodeObserved::partitions).distinct().count() <= 1;
        largest = nodes.stream().mapToInt(node -> node.total().cores()).max().orElse(0);
        mostGpus = nodes.stream().mapToInt(node -> node.total().gpus()).max().orElse(0);
        cores = nodes.stream().mapToLong(node -> node.total().cores()).sum();
    }

    public int count() {
        return nodes.size();
    }

    public NodeName name(final int node) {
        return nodes.get(node).node();
    }

    /** -1 if no node of that name is up. */
    public int index(final NodeName name) {
        return index.getOrDefault(name, -1);
    }

    /** Those of a partition; all if none is named. */
    public List<Integer> in(final @Nullable PartitionName partition) {
        final Where where = new Where(partition, List.of(), List.of());
        return IntStream.range(0, nodes.size())
                .filter(node -> isIn(nodes.get(node), where))
                .boxed()
                .toList();
    }

    /** Cores that the node has in all. */
    public int cores(final int node) {
        return nodes.get(node).total().cores();
    }

    public long memoryMib(final int node) {
        final long stated = nodes.get(node).total().memoryMib();
        return stated == 0 ? UNLIMITED_MIB : stated;
    }

    public int gpus(final int node) {
        return nodes.get(node).total().gpus();
    }

    NodeObserved seen(final int node) {
        return nodes.get(node);
    }

    /** Cores of the largest node. */
    int largest() {
        return largest;
    }

    /** GPUs of the node that has most. */
    int mostGpus() {
        return mostGpus;
    }

    /** Whether it depends on the nodes themselves, not only on how many cores are free on how many of them, whether a job fits. */
    boolean isChoosy(final PlacementRequest job) {
        return areFilled() || !takesAnyNode(job);
    }

    /** Whether one node is as good as another of the same size. */
    boolean takesAnyNode(final PlacementRequest job) {
        return job.isPlain() && (onePartition || job.partition() == null);
    }

    /** Whether a start fills each node of a job but the last. */
    public boolean areFilled() {
        return rule == StartRule.FILLS_NODES;
    }

    /** What each of its nodes must have; a share that exceeds the largest node is its workload manager's guess, and no demand of the job. */
    public NodeRequirement part(final PlacementRequest job) {
        final NodeRequirement part = NodeRequirement.of(job);
        return part.cores() > largest && takesAnyNode(job) ? NodeRequirement.spreadable(job.resources(), false) : part;
    }

    /** The nodes that may have it, by partition, features and name; whatever is free there. */
    public int[] eligible(final PlacementRequest job) {
        return eligible.computeIfAbsent(
                new Where(
                        onePartition ? null : job.partition(),
                        job.placement().features(),
                        job.placement().nodes()),
                where -> IntStream.range(0, nodes.size())
                        .filter(node -> isIn(nodes.get(node), where))
                        .toArray());
    }

    private static boolean isIn(final NodeObserved node, final Where where) {
        final boolean inPartition = where.partition == null
                || node.partitions().isEmpty()
                || node.partitions().contains(where.partition);
        return inPartition
                && (where.named.isEmpty() || where.named.contains(node.node()))
                && node.features().containsAll(where.features);
    }

    /**
     * Whether the job has no requirement on nodes: its cores may be on any nodes, and it needs more than all nodes together, so they are not all that its
     * workload manager counts.
     */
    public boolean isWiderThanAll(final PlacementRequest job) {
        return !isChoosy(job) && part(job).isSpreadable() && job.resources().cores() > cores;
    }

    /**
     * On which nodes a job goes, and what it has there.
     *
     * @param free of nodes that may have it, and can be one of its nodes each
     * @return empty if they do not suffice
     */
    public List<NodeShare> choose(final PlacementRequest job, final List<NodeShare> free) {
        return new NodePacking(this, job).on(free);
    }

    /** What a job has on the nodes that it is on; empty if that is not sure, or not all of them are up. */
    public List<NodeShare> shares(final PlacementRequest job, final List<NodeName> on) {
        final List<NodeShare> there = on.stream()
                .map(this::index)
                .filter(node -> node >= 0)
                .map(this::whole)
                .toList();
        return there.size() == on.size() ? new NodePacking(this, job).onThese(there) : List.of();
    }

    private NodeShare whole(final int node) {
        return new NodeShare(node, cores(node), memoryMib(node), gpus(node));
    }

    /** Why no node would ever do, whatever is free; null if some would. Names what no node has. */
    @Nullable
    String never(final PlacementRequest job) {
        if (nodes.isEmpty() || !isChoosy(job)) {
            return null;
        }
        final int[] among = eligible(job);
        if (among.length == 0) {
            return "no node " + (job.placement().nodes().isEmpty() ? "" : "of those named ")
                    + "has "
                    + (job.placement().features().isEmpty()
                            ? "the requested resources"
                            : job.placement().features())
                    + (job.partition() == null ? "" : " in partition '" + job.partition() + "'");
        }
        final NodeRequirement part = part(job);
        final long could = IntStream.of(among)
                .filter(node -> part.fits(cores(node), memoryMib(node), gpus(node), cores(node)))
                .count();
        final int needed = Math.max(1, part.nodes());
        if (could < needed) {
            return "needs " + needed + " node(s) with " + part + " each, " + could + " have that";
        }
        final List<NodeShare> allOfEach =
                IntStream.of(among).mapToObj(this::whole).toList();
        return areFilled() && choose(job, allOfEach).isEmpty()
                ? "a start on this cluster fills each node of a job but the last, so it cannot give the job "
                        + (part.isSpreadable()
                                ? job.resources().cores() + " cores"
                                : part.cores() + " cores on each of " + part.nodes() + " nodes")
                        + "; change the layout of the request, or let the local scheduler start it under native control"
                : null;
    }
}
