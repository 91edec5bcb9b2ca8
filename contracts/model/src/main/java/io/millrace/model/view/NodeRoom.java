package io.millrace.model.view;

import io.millrace.model.NodeName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Free cores node by node, for jobs whose cores must lie on a stated number of nodes: six cores on one node do not fit into two
 * nodes with four free cores each. Where a job lands is the workload manager's choice; what is not known yet is packed tightly here.
 *
 * <p>A job that states no nodes takes its cores anywhere. So does one whose share per node exceeds the largest node: its workload
 * manager accepted it, so the figure is a lower bound of that workload manager and no demand of the job.
 */
public final class NodeRoom {

    private final List<NodeName> names;
    private final Map<NodeName, Integer> index;
    private final int[] total;
    private final int[] free;
    /** How many nodes have exactly this many free cores. */
    private final int[] nodesWithFree;

    private NodeRoom(
            final List<NodeName> names,
            final Map<NodeName, Integer> index,
            final int[] total,
            final int[] free,
            final int[] nodesWithFree) {
        this.names = names;
        this.index = index;
        this.total = total;
        this.free = free;
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
        int largest = 0;
        for (int i = 0; i < total.length; i++) {
            index.put(up.get(i).node(), i);
            total[i] = up.get(i).total().cores();
            free[i] = Math.min(total[i], up.get(i).free().cores());
            largest = Math.max(largest, total[i]);
        }
        final int[] nodesWithFree = new int[largest + 1];
        for (final int cores : free) {
            nodesWithFree[cores]++;
        }
        return new NodeRoom(up.stream().map(NodeObserved::node).toList(), index, total, free, nodesWithFree);
    }

    /** Whether no node is known, so that cores are anonymous. */
    public boolean isEmpty() {
        return total.length == 0;
    }

    public NodeRoom copy() {
        return new NodeRoom(names, index, total, free.clone(), nodesWithFree.clone());
    }

    /** Cores that each of the job's nodes must have free; 0 if its cores may lie anywhere. */
    public int coresPerNode(final Resources job) {
        if (job.nodes() == 0 || total.length == 0) {
            return 0;
        }
        final int share = Math.ceilDiv(job.cores(), job.nodes());
        return share < nodesWithFree.length ? share : 0;
    }

    /** Whether enough nodes have room now; only nodes are looked at, not the cluster's idle cores. */
    public boolean fits(final Resources job) {
        final int share = coresPerNode(job);
        if (share == 0) {
            return true;
        }
        int nodes = 0;
        for (int cores = nodesWithFree.length - 1; cores >= share && nodes < job.nodes(); cores--) {
            nodes += nodesWithFree[cores];
        }
        return nodes >= job.nodes();
    }

    /** Takes the room of a job that starts, on the fullest nodes that can have it; returns these nodes. */
    public List<NodeName> take(final Resources job) {
        final List<NodeName> taken = new ArrayList<>();
        final int share = coresPerNode(job);
        int open = share == 0 ? job.cores() : job.nodes() * share;
        for (int level = Math.max(1, share); level < nodesWithFree.length && open > 0; level++) {
            for (int node = 0; nodesWithFree[level] > 0 && node < free.length && open > 0; node++) {
                if (free[node] == level) {
                    final int part = share == 0 ? Math.min(level, open) : share;
                    change(node, -part);
                    open -= part;
                    taken.add(names.get(node));
                }
            }
        }
        return taken;
    }

    /** Gives back the room of a job that leaves these nodes; nodes that are not up give nothing. */
    public void give(final Resources job, final List<NodeName> nodes) {
        spread(job, nodes, 1);
    }

    /** Takes back what {@link #give} gave. */
    public void takeBack(final Resources job, final List<NodeName> nodes) {
        spread(job, nodes, -1);
    }

    private void spread(final Resources job, final List<NodeName> nodes, final int sign) {
        for (int i = 0; i < nodes.size(); i++) {
            final Integer node = index.get(nodes.get(i));
            if (node != null) {
                final int share = job.cores() / nodes.size() + (i < job.cores() % nodes.size() ? 1 : 0);
                change(node, sign * share);
            }
        }
    }

    private void change(final int node, final int cores) {
        nodesWithFree[free[node]]--;
        free[node] = Math.clamp((long) free[node] + cores, 0, total[node]);
        nodesWithFree[free[node]]++;
    }
}
