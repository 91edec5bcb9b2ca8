package io.millrace.model.view;

import io.millrace.model.NodeName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is free node by node. Six cores on one node do not fit into two nodes with four free cores each; nor do cores without their memory,
 * accelerators, or on a node that lacks a feature. Where a job lands is the workload manager's choice; what is not known yet is packed
 * tightly here.
 *
 * <p>A job that states no nodes takes its cores anywhere. So does one whose share per node exceeds the largest node: its workload
 * manager accepted it, so the figure is a lower bound of that workload manager and no demand of the job.
 */
public final class NodeRoom {

    private final List<NodeObserved> nodes;
    private final Map<NodeName, Integer> index;
    /** Whether every node is of every partition, or nothing is known of partitions. */
    private final boolean onePartition;

    private final int[] total;
    private final int[] free;
    private final long[] freeMemory_mib;
    private final int[] freeGpus;
    /** How many nodes have exactly this many free cores. */
    private final int[] nodesWithFree;

    private NodeRoom(
            final List<NodeObserved> nodes,
            final Map<NodeName, Integer> index,
            final boolean onePartition,
            final int[] total,
            final int[] free,
            final long[] freeMemory_mib,
            final int[] freeGpus,
            final int[] nodesWithFree) {
        this.nodes = nodes;
        this.index = index;
        this.onePartition = onePartition;
        this.total = total;
        this.free = free;
        this.freeMemory_mib = freeMemory_mib;
        this.freeGpus = freeGpus;
        this.nodesWithFree = nodesWithFree;
    }

    /** The room on the nodes that are up; without any node every job counts as spreadable. */
    public static NodeRoom of(final Collection<NodeObserved> nodes) {
        final List<NodeObserved> up = nodes.stream()
                .filter(node -> node.availability() == Availability.UP)
                .toList();
        final Map<NodeName, Integer> index = HashMap.newHashMap(up.size());
        final int[] total = new int[up.size()];
        final int[] free = new int[up.size()];
        final long[] memory_mib = new long[up.size()];
        final int[] gpus = new int[up.size()];
        int largest = 0;
        for (int i = 0; i < total.length; i++) {
            final NodeObserved node = up.get(i);
            index.put(node.node(), i);
            total[i] = node.total().cores();
            free[i] = Math.min(total[i], node.free().cores());
            memory_mib[i] = freeMemory_mib(node);
            gpus[i] = node.free().gpus();
            largest = Math.max(largest, total[i]);
        }
        final int[] nodesWithFree = new int[largest + 1];
        for (final int cores : free) {
            nodesWithFree[cores]++;
        }
        final boolean onePartition =
                up.stream().map(NodeObserved::partitions).distinct().count() <= 1;
        return new NodeRoom(up, index, onePartition, total, free, memory_mib, gpus, nodesWithFree);
    }

    /** A node that was up and stays so, with the same total, features and partitions, has other room than before. */
    public void observe(final NodeObserved node) {
        final int i = Objects.requireNonNull(index.get(node.node()), "it was up before");
        nodesWithFree[free[i]]--;
        free[i] = Math.min(total[i], node.free().cores());
        nodesWithFree[free[i]]++;
        freeMemory_mib[i] = freeMemory_mib(node);
        freeGpus[i] = node.free().gpus();
    }

    /** A node that states no memory is not limited by it. */
    private static long freeMemory_mib(final NodeObserved node) {
        return node.total().memory_mib() == 0 ? Long.MAX_VALUE / 2 : node.free().memory_mib();
    }

    /** Whether no node is known, so that cores are anonymous. */
    public boolean isEmpty() {
        return total.length == 0;
    }

    public NodeRoom copy() {
        return new NodeRoom(
                nodes,
                index,
                onePartition,
                total,
                free.clone(),
                freeMemory_mib.clone(),
                freeGpus.clone(),
                nodesWithFree.clone());
    }

    /** Cores that each of the job's nodes must have free; 0 if its cores may lie anywhere. */
    public int coresPerNode(final Resources job) {
        if (job.nodes() == 0 || total.length == 0) {
            return 0;
        }
        final int share = Math.ceilDiv(job.cores(), job.nodes());
        return share < nodesWithFree.length ? share : 0;
    }

    public boolean fits(final Resources job) {
        return fits(Demand.of(job));
    }

    public List<NodeName> take(final Resources job) {
        return take(Demand.of(job));
    }

    public void give(final Resources job, final List<NodeName> on) {
        give(Demand.of(job), on);
    }

    public void takeBack(final Resources job, final List<NodeName> on) {
        takeBack(Demand.of(job), on);
    }

    /** Whether enough nodes have room now; only nodes are looked at, not the cluster's idle cores. */
    public boolean fits(final Demand job) {
        return !isChoosy(job)
                ? fitsAnyNodes(job.resources())
                : isEmpty() || !choose(job).isEmpty();
    }

    /** Why no node would ever do, whatever is free; null if some would. Names what no node has. */
    public @Nullable String never(final Demand job) {
        if (isEmpty() || !isChoosy(job)) {
            return null;
        }
        final List<Integer> eligible = eligible(job);
        if (eligible.isEmpty()) {
            return "no node " + (job.placement().nodes().isEmpty() ? "" : "of those named ")
                    + "has "
                    + (job.placement().features().isEmpty()
                            ? "what it asks for"
                            : job.placement().features())
                    + (job.partition() == null ? "" : " in partition '" + job.partition() + "'");
        }
        final Part part = part(job);
        final long could = eligible.stream()
                .filter(node -> part.fitsEmpty(nodes.get(node)))
                .count();
        return could >= Math.max(1, part.nodes)
                ? null
                : "needs " + Math.max(1, part.nodes) + " node(s) with " + part + " each, " + could + " have that";
    }

    /** Whether a job that stands suspended on these nodes, with its memory and GPUs, has its cores there. */
    public boolean hasCoresOn(final Resources job, final List<NodeName> on) {
        for (int i = 0; i < on.size(); i++) {
            final Integer node = index.get(on.get(i));
            if (node == null || free[node] < share(job.cores(), i, on.size())) {
                return isEmpty();
            }
        }
        return true;
    }

    private boolean isChoosy(final Demand job) {
        return !job.isPlain() || !onePartition && job.partition() != null;
    }

    private boolean fitsAnyNodes(final Resources job) {
        final int share = coresPerNode(job);
        if (share == 0) {
            return true;
        }
        int found = 0;
        for (int cores = nodesWithFree.length - 1; cores >= share && found < job.nodes(); cores--) {
            found += nodesWithFree[cores];
        }
        return found >= job.nodes();
    }

    /** Takes the room of a job that starts, on the fullest nodes that can have it; returns these nodes. */
    public List<NodeName> take(final Demand job) {
        if (!isChoosy(job) || isEmpty()) {
            return takeAnyNodes(job.resources());
        }
        final List<NodeName> on =
                choose(job).stream().map(node -> nodes.get(node).node()).toList();
        spread(job, on, -1);
        return on;
    }

    private List<NodeName> takeAnyNodes(final Resources job) {
        final List<NodeName> taken = new ArrayList<>();
        final int share = coresPerNode(job);
        int open = share == 0 ? job.cores() : job.nodes() * share;
        for (int level = Math.max(1, share); level < nodesWithFree.length && open > 0; level++) {
            for (int node = 0; nodesWithFree[level] > 0 && node < free.length && open > 0; node++) {
                if (free[node] == level) {
                    final int part = share == 0 ? Math.min(level, open) : share;
                    change(node, -part);
                    open -= part;
                    taken.add(nodes.get(node).node());
                }
            }
        }
        return taken;
    }

    /** Gives back the room of a job that leaves these nodes; nodes that are not up give nothing. */
    public void give(final Demand job, final List<NodeName> on) {
        spread(job, on, 1);
    }

    /** Takes back what {@link #give} gave. */
    public void takeBack(final Demand job, final List<NodeName> on) {
        spread(job, on, -1);
    }

    /**
     * What one node of a job must have.
     *
     * @param nodes how many such nodes; 0: as many as it takes
     */
    private record Part(int nodes, int cores, long memory_mib, int gpus, boolean whole) {

        private boolean fitsEmpty(final NodeObserved node) {
            return node.total().cores() >= cores
                    && (node.total().memory_mib() == 0 || node.total().memory_mib() >= memory_mib)
                    && node.total().gpus() >= gpus;
        }

        @Override
        public String toString() {
            return cores + " cores" + (memory_mib == 0 ? "" : " and " + memory_mib + " MiB")
                    + (gpus == 0 ? "" : " and " + gpus + " GPUs");
        }
    }

    private Part part(final Demand job) {
        final Resources all = job.resources();
        final int perNode = job.placement().coresPerNode();
        final int count = all.nodes() > 0 ? all.nodes() : perNode > 0 ? Math.ceilDiv(all.cores(), perNode) : 0;
        final boolean whole = job.placement().exclusive();
        if (count == 0) {
            // Spreadable: a single core with its memory is the smallest part.
            return new Part(0, 1, Math.ceilDiv(all.memory_mib(), Math.max(1, all.cores())), 0, whole);
        }
        return new Part(
                count,
                Math.ceilDiv(all.cores(), count),
                Math.ceilDiv(all.memory_mib(), count),
                Math.ceilDiv(all.gpus(), count),
                whole);
    }

    private List<Integer> eligible(final Demand job) {
        final List<Integer> eligible = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            final NodeObserved node = nodes.get(i);
            final boolean inPartition = job.partition() == null
                    || node.partitions().isEmpty()
                    || node.partitions().contains(job.partition());
            if (inPartition
                    && (job.placement().nodes().isEmpty()
                            || job.placement().nodes().contains(node.node()))
                    && node.features().containsAll(job.placement().features())) {
                eligible.add(i);
            }
        }
        return eligible;
    }

    /** Nodes on which the job fits now, the fullest first; empty if there are not enough. */
    private List<Integer> choose(final Demand job) {
        final Part part = part(job);
        final List<Integer> fitting = new ArrayList<>(eligible(job));
        fitting.removeIf(node -> !fitsNow(node, part));
        fitting.sort(Comparator.comparingInt(node -> free[node]));
        if (part.nodes > 0) {
            return fitting.size() >= part.nodes ? fitting.subList(0, part.nodes) : List.of();
        }
        final List<Integer> chosen = new ArrayList<>();
        long cores = 0;
        long gpus = 0;
        for (final int node : fitting) {
            if (cores >= job.resources().cores() && gpus >= job.resources().gpus()) {
                break;
            }
            chosen.add(node);
            final long byMemory = part.memory_mib == 0 ? Long.MAX_VALUE : freeMemory_mib[node] / part.memory_mib;
            cores += Math.min(free[node], byMemory);
            gpus += freeGpus[node];
        }
        return cores >= job.resources().cores() && gpus >= job.resources().gpus() ? chosen : List.of();
    }

    private boolean fitsNow(final int node, final Part part) {
        return free[node] >= part.cores
                && freeMemory_mib[node] >= part.memory_mib
                && freeGpus[node] >= part.gpus
                && (!part.whole || free[node] == total[node]);
    }

    private void spread(final Demand job, final List<NodeName> on, final int sign) {
        final Resources all = job.resources();
        for (int i = 0; i < on.size(); i++) {
            final Integer node = index.get(on.get(i));
            if (node != null) {
                final int cores = job.placement().exclusive() ? total[node] : share(all.cores(), i, on.size());
                change(node, sign * cores);
                freeMemory_mib[node] = Math.max(0, freeMemory_mib[node] + sign * (all.memory_mib() / on.size()));
                freeGpus[node] = Math.max(0, freeGpus[node] + sign * share(all.gpus(), i, on.size()));
            }
        }
    }

    private static int share(final int all, final int i, final int parts) {
        return all / parts + (i < all % parts ? 1 : 0);
    }

    private void change(final int node, final int cores) {
        nodesWithFree[free[node]]--;
        free[node] = Math.clamp((long) free[node] + cores, 0, total[node]);
        nodesWithFree[free[node]]++;
    }
}
