package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.QueuedJob;
import io.millrace.decide.NodeShare;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** As {@link NaivePlanner}, with one entry per second and node for cores, memory and GPUs, and one per second for each licence. */
final class NaiveNodePlanner {

    private final List<NodeObserved> nodes;
    private final int horizon_s;
    private final long[][] cores;
    private final long[][] memory_mib;
    private final long[][] gpus;
    private final Map<Object, long[]> counted = new HashMap<>();

    NaiveNodePlanner(final MixedCluster world, final int horizon_s) {
        this.nodes = world.nodes;
        this.horizon_s = horizon_s;
        cores = new long[nodes.size()][horizon_s];
        memory_mib = new long[nodes.size()][horizon_s];
        gpus = new long[nodes.size()][horizon_s];
        for (int n = 0; n < nodes.size(); n++) {
            Arrays.fill(cores[n], nodes.get(n).total().cores());
            Arrays.fill(memory_mib[n], nodes.get(n).total().memoryMib());
            Arrays.fill(gpus[n], nodes.get(n).total().gpus());
        }
        world.licences.forEach((name, tokens) -> Arrays.fill(seconds(name), tokens));
        world.partitions.forEach((name, limit) -> Arrays.fill(seconds(name), limit.cores()));
    }

    private long[] seconds(final Object name) {
        return counted.computeIfAbsent(name, n -> new long[horizon_s]);
    }

    void close(final int node, final int from, final int until) {
        for (int i = from; i < Math.min(until, horizon_s); i++) {
            cores[node][i] -= nodes.get(node).total().cores();
            memory_mib[node][i] -= nodes.get(node).total().memoryMib();
            gpus[node][i] -= nodes.get(node).total().gpus();
        }
    }

    void take(final QueuedJob job, final List<NodeShare> on, final int from, final long until) {
        for (int i = from; i < Math.min(horizon_s, until); i++) {
            for (final NodeShare share : on) {
                cores[share.node()][i] -= share.cores();
                memory_mib[share.node()][i] -= share.memoryMib();
                gpus[share.node()][i] -= share.gpus();
            }
            for (final Map.Entry<Object, long[]> each : counted.entrySet()) {
                each.getValue()[i] -= wanted(job, each.getKey());
            }
        }
    }

    private static long wanted(final QueuedJob job, final Object of) {
        if (of instanceof PartitionName partition) {
            return partition.equals(job.partition()) ? job.cores() : 0;
        }
        return job.placement().licences().getOrDefault(String.valueOf(of), 0);
    }

    List<JobKey> starts(final List<QueuedJob> queued, final int depth) {
        final List<JobKey> starts = new ArrayList<>();
        int held = 0;
        for (final QueuedJob job :
                queued.stream().sorted(QueuedJob.BY_SUBMISSION).toList()) {
            final boolean inTurn = held < Math.max(1, depth);
            final QueuedJob elsewhere = elsewhere(job);
            if (elsewhere != null && (inTurn || depth > 0)) {
                take(elsewhere, choose(elsewhere, 0), 0, job.walltime_s());
                starts.add(job.job());
                continue;
            }
            int at = 0;
            List<NodeShare> on = choose(job, 0);
            while (on.isEmpty() && inTurn && at < horizon_s - 1) {
                on = choose(job, ++at);
            }
            if (on.isEmpty() || !inTurn && depth == 0) {
                continue;
            }
            take(job, on, at, at + job.walltime_s());
            if (at == 0) {
                starts.add(job.job());
            } else {
                held++;
            }
        }
        return starts;
    }

    /** The job in another partition where it can start now if its own is full; null if there is none. */
    private @Nullable QueuedJob elsewhere(final QueuedJob job) {
        return choose(job, 0).isEmpty()
                ? job.otherPartitions().stream()
                        .map(job::inPartition)
                        .filter(there -> !choose(there, 0).isEmpty())
                        .findFirst()
                        .orElse(null)
                : null;
    }

    private List<NodeShare> choose(final QueuedJob job, final int at) {
        final Placement asks = job.placement();
        final int count = job.resources().nodes();
        final long memory = job.resources().memoryMib();
        final long each_mib = Math.ceilDiv(memory, count == 0 ? job.cores() : count);
        final List<NodeShare> free = new ArrayList<>();
        for (int n = 0; n < nodes.size(); n++) {
            final NodeObserved node = nodes.get(n);
            final long c = least(cores[n], at, job);
            final long m = least(memory_mib[n], at, job);
            final long g = least(gpus[n], at, job);
            final boolean may = node.partitions().contains(job.partition())
                    && node.features().containsAll(asks.features())
                    && (!asks.exclusive() || c == node.total().cores());
            final boolean can = count == 0
                    ? c >= 1 && m >= each_mib && g >= 0
                    : c >= Math.ceilDiv(job.cores(), count)
                            && m >= each_mib
                            && g >= Math.ceilDiv(job.resources().gpus(), count);
            if (may && can) {
                free.add(new NodeShare(n, (int) c, m, (int) g));
            }
        }
        free.sort(Comparator.comparingInt(NodeShare::cores).thenComparingInt(NodeShare::node));
        final List<NodeShare> on = count == 0 ? gather(job, free, each_mib) : divide(job, free, each_mib);
        for (final Map.Entry<Object, long[]> each : counted.entrySet()) {
            if (least(each.getValue(), at, job) < wanted(job, each.getKey())) {
                return List.of();
            }
        }
        return on;
    }

    private List<NodeShare> divide(final QueuedJob job, final List<NodeShare> free, final long each_mib) {
        final int count = job.resources().nodes();
        if (free.size() < count) {
            return List.of();
        }
        final List<NodeShare> on = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final int n = free.get(i).node();
            final int part = Math.ceilDiv(job.cores(), count);
            final int gpu = Math.ceilDiv(job.resources().gpus(), count);
            on.add(new NodeShare(
                    n, job.placement().exclusive() ? nodes.get(n).total().cores() : part, each_mib, gpu));
        }
        return on;
    }

    private List<NodeShare> gather(final QueuedJob job, final List<NodeShare> free, final long each_mib) {
        final int[] cores = new int[free.size()];
        final int[] accelerators = new int[free.size()];
        for (int gpu = 0; gpu < job.resources().gpus(); gpu++) {
            final int i = first(free, cores, each_mib, accelerators);
            if (i < 0) {
                return List.of();
            }
            cores[i]++;
            accelerators[i]++;
        }
        for (int core = job.resources().gpus(); core < job.cores(); core++) {
            final int i = first(free, cores, each_mib, null);
            if (i < 0) {
                return List.of();
            }
            cores[i]++;
        }
        final List<NodeShare> on = new ArrayList<>();
        for (int i = 0; i < cores.length; i++) {
            final int n = free.get(i).node();
            final int all = job.placement().exclusive() ? nodes.get(n).total().cores() : cores[i];
            if (cores[i] > 0) {
                on.add(new NodeShare(n, all, cores[i] * each_mib, accelerators[i]));
            }
        }
        return on;
    }

    /** The first node with one more core, its memory, and a GPU if requested. */
    private static int first(
            final List<NodeShare> free, final int[] cores, final long each_mib, final int @Nullable [] accelerators) {
        for (int i = 0; i < cores.length; i++) {
            final NodeShare node = free.get(i);
            if (cores[i] < node.cores()
                    && (cores[i] + 1) * each_mib <= node.memoryMib()
                    && (accelerators == null || accelerators[i] < node.gpus())) {
                return i;
            }
        }
        return -1;
    }

    private long least(final long[] level, final int at, final QueuedJob job) {
        long least = Long.MAX_VALUE;
        for (int i = at; i < Math.min(horizon_s, at + job.walltime_s()); i++) {
            least = Math.min(least, level[i]);
        }
        return least;
    }
}
