package io.millrace.decide;

import io.millrace.model.Resources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The nodes of a job and its share of each: the fullest nodes first, to avoid fragmentation. */
final class NodePacking {

    private static final Comparator<NodeShare> FULLEST =
            Comparator.comparingInt(NodeShare::cores).thenComparingInt(NodeShare::node);

    private final Nodes nodes;
    private final NodeRequirement part;
    private final Resources job;

    NodePacking(final Nodes nodes, final PlacementRequest job) {
        this.nodes = nodes;
        this.part = nodes.part(job);
        this.job = job.resources();
    }

    /** @param free of nodes that can be one of the job's each; empty if they do not suffice */
    List<NodeShare> on(final List<NodeShare> free) {
        if (nodes.areFilled()) {
            return filled(free);
        }
        if (!part.isSpreadable()) {
            return free.size() < part.nodes()
                    ? List.of()
                    : divide(free.stream().sorted(FULLEST).toList());
        }
        final List<NodeShare> shares = asFarAsItGoes(free);
        return isEnough(shares) ? shares : List.of();
    }

    /** All cores of each node but the last. Accelerators of several nodes are not known to be given with whole nodes. */
    private List<NodeShare> filled(final List<NodeShare> free) {
        final List<NodeShare> chosen = new FilledNodes<NodeShare>(each -> nodes.cores(each.node()), this::room)
                .choose(job.cores(), part.isSpreadable() ? 0 : part.cores(), free);
        final List<NodeShare> shares = new ArrayList<>();
        int open = job.cores();
        for (final NodeShare each : chosen) {
            final int cores = Math.min(open, nodes.cores(each.node()));
            final int taken = part.whole() ? nodes.cores(each.node()) : cores;
            shares.add(new NodeShare(each.node(), taken, memory_mib(cores), Math.min(job.gpus(), each.gpus())));
            open -= cores;
        }
        return shares.stream().mapToInt(NodeShare::gpus).sum() >= job.gpus() ? shares : List.of();
    }

    private long memory_mib(final int cores) {
        return part.isSpreadable() ? cores * part.memoryMib() : part.memoryMib();
    }

    /** The shares on these nodes, in this order; empty for a spreadable job, because its distribution is not known. */
    List<NodeShare> onThese(final List<NodeShare> nodesOfJob) {
        return part.isSpreadable() || nodesOfJob.size() != part.nodes() ? List.of() : divide(nodesOfJob);
    }

    /** Each has room for the largest part, so that it does not matter which of them has it. */
    private List<NodeShare> divide(final List<NodeShare> among) {
        return among.stream()
                .limit(part.nodes())
                .map(each -> new NodeShare(
                        each.node(),
                        part.whole() ? nodes.cores(each.node()) : part.cores(),
                        part.memoryMib(),
                        part.gpus()))
                .toList();
    }

    /** What it would have there, even if that is not all. Beside each accelerator it has a core. */
    List<NodeShare> asFarAsItGoes(final List<NodeShare> free) {
        final List<NodeShare> fullestFirst = free.stream().sorted(FULLEST).toList();
        int openGpus = job.gpus();
        final int[] besideGpus = new int[fullestFirst.size()];
        for (int i = 0; i < besideGpus.length; i++) {
            besideGpus[i] = Math.min(openGpus, Math.min(fullestFirst.get(i).gpus(), room(fullestFirst.get(i))));
            openGpus -= besideGpus[i];
        }
        final List<NodeShare> shares = new ArrayList<>();
        int open = Math.max(0, job.cores() - job.gpus() + openGpus);
        for (int i = 0; i < besideGpus.length; i++) {
            final NodeShare each = fullestFirst.get(i);
            final int more = Math.min(open, room(each) - besideGpus[i]);
            final int cores = besideGpus[i] + more;
            if (cores > 0) {
                final int taken = part.whole() ? nodes.cores(each.node()) : cores;
                shares.add(new NodeShare(each.node(), taken, cores * part.memoryMib(), besideGpus[i]));
                open -= more;
            }
        }
        return shares;
    }

    /** A node that can be one of the nodes of a job with a share for each has the memory of that share. */
    private int room(final NodeShare free) {
        return part.isSpreadable() ? part.coresOn(free.cores(), free.memoryMib()) : free.cores();
    }

    private boolean isEnough(final List<NodeShare> shares) {
        long cores = 0;
        long gpus = 0;
        for (final NodeShare share : shares) {
            cores += room(share);
            gpus += share.gpus();
        }
        return cores >= job.cores() && gpus >= job.gpus();
    }
}
