package io.millrace.simulator;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.simulator.swf.SwfJob;
import java.util.List;
import java.util.function.Supplier;

/**
 * The clusters on which a trace is simulated, and what happens to them.
 *
 * @param clusters at least one
 * @param router chooses the cluster of a job
 * @param events capacity changes and node faults
 * @param staging the delay until a job's data is available
 * @param checkpointable the share of jobs that support checkpoints, 0 to 1, chosen by the seed
 */
public record Scenario(
        List<Site> clusters,
        Router router,
        EventOrder order,
        List<ClusterEvent> events,
        Staging staging,
        double checkpointable,
        long seed) {

    /** @throws IllegalArgumentException if nodes fail with the event order of pyss, which has no faults */
    public Scenario {
        if (order == EventOrder.PYSS && events.stream().anyMatch(d -> d instanceof ClusterEvent.Failure)) {
            throw new IllegalArgumentException("node faults cannot be combined with the event order of pyss");
        }
    }

    /** One cluster. @param scheduler creates its scheduler for each run */
    public record Site(String name, int cores, Supplier<ClusterScheduler> scheduler) {}

    /** Chooses the cluster of a job: its index in the scenario, from 0. */
    @FunctionalInterface
    public interface Router {
        int clusterOf(SwfJob job);
    }

    /** The time in seconds from the submission of a job until its data is available and it waits on its cluster. */
    @FunctionalInterface
    public interface Staging {
        Staging NONE = (job, cluster) -> 0;

        long delay_s(SwfJob job, int cluster);
    }

    public static Scenario of(final int cores, final BackfillPolicy policy, final EventOrder order) {
        return of(cores, order, () -> new BackfillScheduler(cores, policy, order == EventOrder.PYSS));
    }

    /** One cluster with any scheduler. */
    public static Scenario of(final int cores, final EventOrder order, final Supplier<ClusterScheduler> scheduler) {
        return new Scenario(
                List.of(new Site("virtual", cores, scheduler)),
                job -> 0,
                order,
                List.of(),
                Scenario.Staging.NONE,
                1,
                1);
    }

    public Scenario withCheckpointableShare(final double checkpointableShare, final long otherSeed) {
        return new Scenario(clusters, router, order, events, staging, checkpointableShare, otherSeed);
    }

    public Scenario disturbed(final List<ClusterEvent> by) {
        return new Scenario(clusters, router, order, by, staging, checkpointable, seed);
    }

    public Scenario staged(final Staging by) {
        return new Scenario(clusters, router, order, events, by, checkpointable, seed);
    }
}
