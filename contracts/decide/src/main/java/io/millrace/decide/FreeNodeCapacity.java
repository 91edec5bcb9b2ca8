package io.millrace.decide;

import io.millrace.model.NodeName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.StartRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What is free node by node. Six cores on one node do not fit into two nodes with four free cores each; nor do cores without their memory,
 * accelerators, or on a node that lacks a feature. The workload manager chooses the nodes of a job; until they are known, the job is packed tightly here.
 *
 * <p>A job that requests no nodes takes its cores on any nodes. So does a job with a share per node that exceeds the largest node: the
 * workload manager accepted it, so the number of nodes is a lower bound of the workload manager, not a requirement of the job.
 */
public final class FreeNodeCapacity {

    private final Nodes nodes;
    private final int[] free;
    private final long[] freeMemory_mib;
    private final int[] freeGpus;
    /** How many nodes have exactly this many free cores. */
    private final int[] nodesWithFree;
    /** The same of GPUs; the last counts those with more as well. */
    private final int[] nodesWithFreeGpus;

    private long freeCores;

    private FreeNodeCapacity(
            final Nodes nodes,
            final int[] free,
            final long[] freeMemory_mib,
            final int[] freeGpus,
            final int[] nodesWithFree,
            final int[] nodesWithFreeGpus,
            final long freeCores) {
        this.nodes = nodes;
        this.free = free;
        this.freeMemory_mib = freeMemory_mib;
        this.freeGpus = freeGpus;
        this.nodesWithFree = nodesWithFree;
        this.nodesWithFreeGpus = nodesWithFreeGpus;
        this.freeCores = freeCores;
    }

    /** The free capacity of a cluster, by the rule of its starts. */
    public static FreeNodeCapacity of(final ClusterView cluster) {
        final RevisionClosed marker = cluster.marker();
        return of(cluster.nodes(), marker == null ? StartRule.PARTS_OF_NODES : marker.starts());
    }

    /** The free capacity of the nodes that are up, if a start can use any part of them. */
    public static FreeNodeCapacity of(final Collection<NodeObserved> observed) {
        return of(observed, StartRule.PARTS_OF_NODES);
    }

    /** The free capacity of the nodes that are up; without nodes every job counts as spreadable. */
    public static FreeNodeCapacity of(final Collection<NodeObserved> observed, final StartRule rule) {
        final Nodes nodes = new Nodes(observed, rule);
        final int[] free = new int[nodes.count()];
        final long[] memory_mib = new long[free.length];
        final int[] gpus = new int[free.length];
        final int[] nodesWithFree = new int[nodes.largest() + 1];
        final int[] nodesWithFreeGpus = new int[nodes.mostGpus() + 1];
        for (int i = 0; i < free.length; i++) {
            final NodeObserved node = nodes.seen(i);
            free[i] = Math.min(nodes.cores(i), node.free().cores());
            memory_mib[i] = freeMemory_mib(node);
            gpus[i] = node.free().gpus();
            nodesWithFree[free[i]]++;
            nodesWithFreeGpus[Math.min(gpus[i], nodes.mostGpus())]++;
        }
        return new FreeNodeCapacity(
                nodes,
                free,
                memory_mib,
                gpus,
                nodesWithFree,
                nodesWithFreeGpus,
                Arrays.stream(free).asLongStream().sum());
    }

    /** A node that was up and stays so, with the same total, features and partitions, has other room than before. */
    public void observe(final NodeObserved node) {
        final int i = nodes.index(node.node());
        if (i < 0) {
            throw new IllegalArgumentException(node.node() + " was not up before");
        }
        setFree(i, Math.min(nodes.cores(i), node.free().cores()), node.free().gpus());
        freeMemory_mib[i] = freeMemory_mib(node);
    }

    /** A node that states no memory is not limited by it. */
    private static long freeMemory_mib(final NodeObserved node) {
        return node.total().memoryMib() == 0 ? Nodes.UNLIMITED_MIB : node.free().memoryMib();
    }

    public Nodes nodes() {
        return nodes;
    }

    /** Whether no node is known, so that cores are anonymous. */
    public boolean isEmpty() {
        return free.length == 0;
    }

    public FreeNodeCapacity copy() {
        return new FreeNodeCapacity(
                nodes,
                free.clone(),
                freeMemory_mib.clone(),
                freeGpus.clone(),
                nodesWithFree.clone(),
                nodesWithFreeGpus.clone(),
                freeCores);
    }

    /** What is free on a node. */
    public NodeShare freeOn(final int node) {
        return new NodeShare(node, free[node], freeMemory_mib[node], freeGpus[node]);
    }

    /** Free cores that each node of the job needs; 0 if its cores may be on any nodes. */
    public int coresPerNode(final Resources job) {
        final NodeRequirement part = nodes.part(PlacementRequest.of(job));
        return isEmpty() || part.isSpreadable() ? 0 : part.cores();
    }

    public boolean fits(final Resources job) {
        return fits(PlacementRequest.of(job));
    }

    public List<NodeName> take(final Resources job) {
        return take(PlacementRequest.of(job));
    }

    /** Takes the cores of a job that resumes on these nodes, evenly. */
    public void takeBack(final Resources job, final List<NodeName> on) {
        for (int i = 0; i < on.size(); i++) {
            final int node = nodes.index(on.get(i));
            if (node >= 0) {
                change(
                        new NodeShare(
                                node,
                                evenly(job.cores(), i, on.size()),
                                job.memoryMib() / on.size(),
                                evenly(job.gpus(), i, on.size())),
                        -1);
            }
        }
    }

    /** Whether its nodes have room now; of a job that takes its cores anywhere nothing is asked. */
    public boolean fits(final PlacementRequest job) {
        if (isEmpty()) {
            return true;
        }
        if (!nodes.isChoosy(job)) {
            return reach(nodesWithFree, nodes.part(job).cores(), nodes.part(job).nodes());
        }
        return hasGpusFor(job) && !choose(job, this).isEmpty();
    }

    /** As {@link #fits}; in addition, cores that may be on any nodes must be free. */
    public boolean hasRoomFor(final PlacementRequest job) {
        return isEmpty()
                || fits(job)
                        && (nodes.isChoosy(job) || freeCores >= job.resources().cores() || nodes.isWiderThanAll(job));
    }

    /** Whether enough nodes have its GPUs free, whichever they are; where GPUs are short, no node need be looked at. */
    private boolean hasGpusFor(final PlacementRequest job) {
        final NodeRequirement part = nodes.part(job);
        return part.isSpreadable()
                ? job.resources().gpus() == 0 || reach(nodesWithFreeGpus, 1, 1)
                : reach(nodesWithFreeGpus, part.gpus(), part.nodes());
    }

    /**
     * Whether so many nodes have this much free.
     *
     * @param nodesWith how many nodes have exactly so much free, by how much that is
     */
    private static boolean reach(final int[] nodesWith, final int free, final int nodes) {
        int found = 0;
        for (int level = nodesWith.length - 1; level >= free && found < nodes; level--) {
            found += nodesWith[level];
        }
        return found >= nodes;
    }

    /** Free cores on the eligible nodes, whatever else the job requests. */
    public int freeCores(final PlacementRequest job) {
        int cores = 0;
        for (final int node : nodes.eligible(job)) {
            cores += free[node];
        }
        return cores;
    }

    /** Why no node would ever do, whatever is free; null if some would. Names what no node has. */
    public @Nullable String never(final PlacementRequest job) {
        return nodes.never(job);
    }

    /** Whether the cores of a job that is suspended on these nodes, with its memory and GPUs, are free there. */
    public boolean hasCoresOn(final Resources job, final List<NodeName> on) {
        for (int i = 0; i < on.size(); i++) {
            final int node = nodes.index(on.get(i));
            if (node < 0 || free[node] < evenly(job.cores(), i, on.size())) {
                return isEmpty();
            }
        }
        return true;
    }

    /** Takes the room of a job that starts, on the fullest nodes that can have it; returns these nodes. */
    public List<NodeName> take(final PlacementRequest job) {
        final boolean anywhere = nodes.part(job).isSpreadable() && nodes.takesAnyNode(job);
        final List<NodeShare> chosen = anywhere && !nodes.areFilled() ? List.of() : choose(job, this);
        final List<NodeShare> shares =
                anywhere && chosen.isEmpty() ? new NodePacking(nodes, job).asFarAsItGoes(fitting(job, this)) : chosen;
        take(shares);
        return shares.stream().map(share -> nodes.name(share.node())).toList();
    }

    public void take(final List<NodeShare> shares) {
        shares.forEach(share -> change(share, -1));
    }

    public void give(final List<NodeShare> shares) {
        shares.forEach(share -> change(share, 1));
    }

    /**
     * On which nodes the job fits now, and what it would have there.
     *
     * @param also where it must fit as well
     * @return empty if the capacity is not sufficient, or the job is larger than all nodes
     */
    public List<NodeShare> choose(final PlacementRequest job, final FreeNodeCapacity also) {
        final boolean anyNodes = also == this && !nodes.isChoosy(job);
        return new NodePacking(nodes, job).on(anyNodes ? fullest(job) : fitting(job, also));
    }

    /** As many of the fullest nodes with room as a job needs that may be on any. */
    private List<NodeShare> fullest(final PlacementRequest job) {
        final NodeRequirement part = nodes.part(job);
        final List<NodeShare> fullest = new ArrayList<>();
        int open = part.isSpreadable() ? job.resources().cores() : part.nodes();
        for (int level = Math.max(1, part.cores()); level < nodesWithFree.length && open > 0; level++) {
            int there = nodesWithFree[level];
            for (int node = 0; there > 0 && open > 0; node++) {
                if (free[node] == level) {
                    fullest.add(freeOn(node));
                    there--;
                    open -= part.isSpreadable() ? level : 1;
                }
            }
        }
        return fullest;
    }

    /** What is free on each node that can be one of its nodes, here and there. */
    private List<NodeShare> fitting(final PlacementRequest job, final FreeNodeCapacity also) {
        final NodeRequirement part = nodes.part(job);
        final List<NodeShare> fitting = new ArrayList<>();
        for (final int node : nodes.eligible(job)) {
            if (free[node] >= part.cores() && isRoomOn(node, part) && also.isRoomOn(node, part)) {
                fitting.add(new NodeShare(
                        node,
                        Math.min(free[node], also.free[node]),
                        Math.min(freeMemory_mib[node], also.freeMemory_mib[node]),
                        Math.min(freeGpus[node], also.freeGpus[node])));
            }
        }
        return fitting;
    }

    private boolean isRoomOn(final int node, final NodeRequirement part) {
        return part.fits(free[node], freeMemory_mib[node], freeGpus[node], nodes.cores(node));
    }

    /**
     * What a job that runs on these nodes has on each of them at least. The nodes of a job are observed, its share of each is not: if the job
     * does not request the same on each node, it has at least what others cannot have, because no more is in use there.
     *
     * @param on nodes; those that are not up are left out
     */
    public List<NodeShare> leastShares(final PlacementRequest job, final List<NodeName> on) {
        final Resources all = job.resources();
        final int parts = on.size();
        final boolean even = job.placement().coresPerNode() * parts == all.cores();
        final List<NodeShare> shares = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            final int node = nodes.index(on.get(i));
            if (node < 0) {
                continue;
            }
            final int cores = even ? all.cores() / parts : (int) least(all.cores(), node, on, this::usedCores);
            shares.add(new NodeShare(
                    node,
                    job.placement().exclusive() ? nodes.cores(node) : cores,
                    even ? all.memoryMib() / parts : least(all.memoryMib(), node, on, this::usedMemory_mib),
                    even ? all.gpus() / parts : (int) least(all.gpus(), node, on, this::usedGpus)));
        }
        return shares;
    }

    /** What is left for one node if the job has all that is in use on its other nodes. */
    private long least(final long all, final int node, final List<NodeName> on, final IntToLongFunction used) {
        long elsewhere = 0;
        for (final NodeName other : on) {
            final int index = nodes.index(other);
            if (index < 0) {
                return 0;
            }
            elsewhere += index == node ? 0 : used.applyAsLong(index);
        }
        return Math.max(0, all - elsewhere);
    }

    private long usedCores(final int node) {
        return nodes.cores(node) - free[node];
    }

    private long usedMemory_mib(final int node) {
        return Math.max(0, nodes.memoryMib(node) - freeMemory_mib[node]);
    }

    private long usedGpus(final int node) {
        return nodes.gpus(node) - freeGpus[node];
    }

    private static int evenly(final int all, final int i, final int parts) {
        return all / parts + (i < all % parts ? 1 : 0);
    }

    private void change(final NodeShare share, final int sign) {
        final int node = share.node();
        setFree(
                node,
                Math.clamp((long) free[node] + sign * share.cores(), 0, nodes.cores(node)),
                Math.max(0, freeGpus[node] + sign * share.gpus()));
        freeMemory_mib[node] = Math.max(0, freeMemory_mib[node] + sign * share.memoryMib());
    }

    private void setFree(final int node, final int cores, final int gpus) {
        nodesWithFree[free[node]]--;
        nodesWithFree[cores]++;
        freeCores += cores - free[node];
        free[node] = cores;
        nodesWithFreeGpus[Math.min(freeGpus[node], nodes.mostGpus())]--;
        nodesWithFreeGpus[Math.min(gpus, nodes.mostGpus())]++;
        freeGpus[node] = gpus;
    }
}
