package io.millrace.simulator;

import io.millrace.simulator.swf.SwfJob;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;

/**
 * Random node faults with repair.
 *
 * @param coresPerNode of each node
 * @param every_s mean seconds between two faults of the cluster, exponentially distributed
 * @param repair_s seconds until the node returns
 */
public record NodeFaults(int coresPerNode, double every_s, long repair_s) {

    public NodeFaults {
        if (coresPerNode < 1 || !(every_s >= 1) || repair_s < 1) {
            throw new IllegalArgumentException(
                    "cores per node, seconds between faults and seconds of repair must be at least 1, got "
                            + coresPerNode + ", " + every_s + ", " + repair_s);
        }
    }

    /**
     * Faults on the first cluster from the first submission until twice the time that the cluster needs for all requested work.
     *
     * @throws IllegalArgumentException if a node has more cores than the cluster
     */
    public List<ClusterEvent> on(final List<SwfJob> trace, final int cores, final long seed) {
        if (coresPerNode > cores) {
            throw new IllegalArgumentException(
                    "a node has " + coresPerNode + " cores, but the cluster only " + cores + "; use smaller nodes");
        }
        final SplittableRandom random = new SplittableRandom(seed);
        final Queue<Long> away = new ArrayDeque<>();
        final List<ClusterEvent> faults = new ArrayList<>();
        final double until = horizon_s(trace, cores);
        double at = trace.isEmpty() ? until : trace.getFirst().submit_s();
        while ((at += -Math.log(1 - random.nextDouble()) * every_s) < until) {
            final long second = (long) at;
            away.removeIf(back -> back <= second);
            final double place = random.nextDouble();
            if ((away.size() + 1) * coresPerNode <= cores) {
                away.add(second + repair_s);
                faults.add(new ClusterEvent.Failure(second, 0, coresPerNode, place));
                faults.add(new ClusterEvent.Change(second + repair_s, 0, coresPerNode));
            }
        }
        return faults;
    }

    private static double horizon_s(final List<SwfJob> trace, final int cores) {
        return trace.isEmpty()
                ? 0
                : trace.getLast().submit_s()
                        + 2
                                * trace.stream()
                                        .mapToDouble(job -> (double) job.requested_s() * job.cores())
                                        .sum()
                                / cores;
    }
}
