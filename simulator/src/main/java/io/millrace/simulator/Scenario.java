package io.millrace.simulator;

import io.millrace.backfill.domain.planner.BackfillPolicy;
import io.millrace.simulator.swf.SwfJob;
import java.util.List;
import java.util.function.Supplier;

/**
 * The world that a trace meets.
 *
 * @param clusters at least one
 * @param router where a job goes, if there are several clusters
 * @param disturbances what happens to the clusters meanwhile
 * @param staging how long each job's data travels first
 * @param checkpointable the share of jobs that can be checkpointed, 0 to 1; which ones, the seed decides
 */
public record Scenario(
        List<Site> clusters,
        Router router,
        EventOrder order,
        List<ClusterEvent> disturbances,
        Staging staging,
        double checkpointable,
        long seed) {

    /** @throws IllegalArgumentException if nodes fail under the event order of pyss, which knows no faults */
    public Scenario {
        if (order == EventOrder.PYSS && disturbances.stream().anyMatch(d -> d instanceof ClusterEvent.Failure)) {
            throw new IllegalArgumentException("pyss knows no faults: leave out either");
        }
    }

    /** All data is where its jobs are. */
    public Scenario(
            final List<Site> clusters,
            final Router router,
            final EventOrder order,
            final List<ClusterEvent> disturbances,
            final double checkpointable,
            final long seed) {
        this(clusters, router, order, disturbances, Staging.NONE, checkpointable, seed);
    }

    /** One cluster. @param scheduler makes what decides on it, anew for each run */
    public record Site(String name, int cores, Supplier<ClusterScheduler> scheduler) {}

    /** Where a job goes: the place of the cluster in the scenario, from 0. */
    @FunctionalInterface
    public interface Router {
        int clusterOf(SwfJob job);
    }

    /** How long a job's data is on its way, in seconds: so long after its submission it comes to wait on its cluster. */
    @FunctionalInterface
    public interface Staging {
        Staging NONE = (job, cluster) -> 0;

        long delay_s(SwfJob job, int cluster);
    }

    public static Scenario of(final int cores, final BackfillPolicy policy, final EventOrder order) {
        return of(cores, order, () -> new BackfillScheduler(cores, policy, order == EventOrder.PYSS));
    }

    /** One cluster under any scheduler. */
    public static Scenario of(final int cores, final EventOrder order, final Supplier<ClusterScheduler> scheduler) {
        return new Scenario(List.of(new Site("virtual", cores, scheduler)), job -> 0, order, List.of(), 1, 1);
    }

    public Scenario chance(final double checkpointableShare, final long otherSeed) {
        return new Scenario(clusters, router, order, disturbances, staging, checkpointableShare, otherSeed);
    }

    public Scenario disturbed(final List<ClusterEvent> by) {
        return new Scenario(clusters, router, order, by, staging, checkpointable, seed);
    }

    public Scenario staged(final Staging by) {
        return new Scenario(clusters, router, order, disturbances, by, checkpointable, seed);
    }
}
