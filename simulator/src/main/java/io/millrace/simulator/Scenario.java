package io.millrace.simulator;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.simulator.swf.SwfJob;
import java.util.List;
import java.util.function.Supplier;

/**
 * The world that a trace meets.
 *
 * @param clusters at least one
 * @param router where a job goes, if there are several clusters
 * @param disturbances what happens to the clusters meanwhile
 * @param checkpointable the share of jobs that can be checkpointed, 0 to 1; which ones, the seed decides
 */
public record Scenario(
        List<Site> clusters,
        Router router,
        EventOrder order,
        List<Disturbance> disturbances,
        double checkpointable,
        long seed) {

    /** One cluster. @param scheduler makes what decides on it, anew for each run */
    public record Site(String name, int cores, Supplier<ClusterScheduler> scheduler) {}

    /** Where a job goes: the place of the cluster in the scenario, from 0. */
    @FunctionalInterface
    public interface Router {
        int clusterOf(SwfJob job);
    }

    public static Scenario of(final int cores, final BackfillPolicy policy, final EventOrder order) {
        return of(cores, order, () -> new BackfillScheduler(cores, policy, order == EventOrder.PYSS));
    }

    /** One cluster under any scheduler. */
    public static Scenario of(final int cores, final EventOrder order, final Supplier<ClusterScheduler> scheduler) {
        return new Scenario(List.of(new Site("virtual", cores, scheduler)), job -> 0, order, List.of(), 1, 1);
    }

    public Scenario chance(final double checkpointableShare, final long otherSeed) {
        return new Scenario(clusters, router, order, disturbances, checkpointableShare, otherSeed);
    }

    public Scenario disturbed(final List<Disturbance> by) {
        return new Scenario(clusters, router, order, by, checkpointable, seed);
    }
}
