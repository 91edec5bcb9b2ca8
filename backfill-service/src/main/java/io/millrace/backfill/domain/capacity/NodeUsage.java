package io.millrace.backfill.domain.capacity;

import io.millrace.backfill.domain.RunningJob;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.decide.NodeShare;
import io.millrace.decide.Nodes;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the share of each running job on each node. Workload managers report on which nodes a job runs and how much of a node is in
 * use, but not the share of each job. So each job gets an even share; a job that has less than it requests gets more of what is in use on
 * its nodes; the rest is assigned to the newest job of the node.
 */
public final class NodeUsage {

    /** What a job has been assigned on a node so far. */
    private static final class Part {
        private final int node;
        private int cores;
        private long memory_mib;
        private int gpus;

        private Part(final int node) {
            this.node = node;
        }
    }

    private final Nodes nodes;
    /** What is in use on each node and not assigned yet. */
    private final Part[] left;

    /** The part of the newest job of each node. */
    private final @Nullable Part[] newest;

    private NodeUsage(final FreeNodeCapacity free) {
        nodes = free.nodes();
        left = new Part[nodes.count()];
        newest = new Part[left.length];
        for (int node = 0; node < left.length; node++) {
            final NodeShare now = free.freeOn(node);
            left[node] = new Part(node);
            left[node].cores = nodes.cores(node) - now.cores();
            left[node].memory_mib = nodes.memoryMib(node) - now.memoryMib();
            left[node].gpus = nodes.gpus(node) - now.gpus();
        }
    }

    private record Occupant(RunningJob job, List<Part> parts) {}

    private static final Comparator<Occupant> NEWEST_FIRST = Comparator.comparing(
                    (Occupant occupant) -> occupant.job.job(), JobKey.BY_SUBMISSION)
            .reversed();

    /** Shares in the order of the jobs; nodes that are not up are left out. */
    public static List<List<NodeShare>> of(final FreeNodeCapacity free, final List<RunningJob> running) {
        if (free.isEmpty()) {
            return Collections.nCopies(running.size(), List.of());
        }
        final NodeUsage occupancy = new NodeUsage(free);
        final List<Occupant> all = new ArrayList<>(running.size());
        running.forEach(job -> all.add(new Occupant(job, new ArrayList<>(1))));
        // The result must not depend on the order of the jobs, nor on expected ends.
        final List<Occupant> newestFirst = new ArrayList<>(all);
        newestFirst.sort(NEWEST_FIRST);
        newestFirst.forEach(occupancy::evenly);
        newestFirst.forEach(occupancy::fill);
        newestFirst.forEach(occupancy::noteNewest);
        occupancy.giveRestToNewest();
        final List<List<NodeShare>> shares = new ArrayList<>(running.size());
        all.forEach(each -> shares.add(shares(each.parts)));
        return shares;
    }

    private void evenly(final Occupant occupant) {
        final RunningJob job = occupant.job;
        final int on = occupant.job.nodes().size();
        for (final NodeName name : occupant.job.nodes()) {
            final int node = nodes.index(name);
            if (node >= 0) {
                final boolean whole = job.placement().exclusive();
                final Part part = new Part(node);
                take(
                        part,
                        whole ? nodes.cores(node) : Math.ceilDiv(job.cores(), on),
                        Math.ceilDiv(job.resources().memoryMib(), on),
                        Math.ceilDiv(job.resources().gpus(), on));
                occupant.parts.add(part);
            }
        }
    }

    /** Uses the nodes of the job, or all nodes if they are not known. */
    private void fill(final Occupant occupant) {
        final RunningJob job = occupant.job;
        final List<Part> mine = occupant.parts;
        if (occupant.job.nodes().isEmpty()) {
            IntStream.range(0, left.length)
                    .filter(this::isInUse)
                    .mapToObj(Part::new)
                    .forEach(mine::add);
        }
        int cores = job.cores();
        long memory_mib = job.resources().memoryMib();
        int gpus = job.resources().gpus();
        for (final Part part : mine) {
            cores -= part.cores;
            memory_mib -= part.memory_mib;
            gpus -= part.gpus;
        }
        if (cores <= 0 && memory_mib <= 0 && gpus <= 0) {
            return;
        }
        for (final Part part : mine) {
            final int coresBefore = part.cores;
            final long memoryBefore_mib = part.memory_mib;
            final int gpusBefore = part.gpus;
            take(part, Math.max(0, cores), Math.max(0, memory_mib), Math.max(0, gpus));
            cores -= part.cores - coresBefore;
            memory_mib -= part.memory_mib - memoryBefore_mib;
            gpus -= part.gpus - gpusBefore;
        }
    }

    private boolean isInUse(final int node) {
        return left[node].cores > 0;
    }

    private void noteNewest(final Occupant occupant) {
        for (final Part part : occupant.parts) {
            if (newest[part.node] == null) {
                newest[part.node] = part;
            }
        }
    }

    private void giveRestToNewest() {
        for (final Part part : newest) {
            if (part != null) {
                take(part, Integer.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE);
            }
        }
    }

    /** Assigns at most what is in use. */
    private void take(final Part part, final int cores, final long memory_mib, final int gpus) {
        final Part there = left[part.node];
        final int takenCores = Math.clamp(cores, 0, Math.max(0, there.cores));
        final long takenMemory_mib = Math.clamp(memory_mib, 0L, Math.max(0, there.memory_mib));
        final int takenGpus = Math.clamp(gpus, 0, Math.max(0, there.gpus));
        part.cores += takenCores;
        part.memory_mib += takenMemory_mib;
        part.gpus += takenGpus;
        there.cores -= takenCores;
        there.memory_mib -= takenMemory_mib;
        there.gpus -= takenGpus;
    }

    private static List<NodeShare> shares(final List<Part> parts) {
        final List<NodeShare> shares = new ArrayList<>(parts.size());
        parts.forEach(part -> shares.add(new NodeShare(part.node, part.cores, part.memory_mib, part.gpus)));
        return shares;
    }
}
