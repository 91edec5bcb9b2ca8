package io.millrace.simulator;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.simulator.EventQueue.Event;
import io.millrace.simulator.EventQueue.Kind;
import io.millrace.simulator.swf.SwfJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Runs a trace on one virtual cluster, under a clock that jumps from event to event. */
public final class Simulation {

    private final VirtualCluster cluster;
    private final EventOrder order;
    private final EventQueue events = new EventQueue();
    private final List<SimulatedJob> jobs = new ArrayList<>();

    private Simulation(final int cores, final BackfillPolicy policy, final EventOrder order) {
        this.cluster = new VirtualCluster(cores, policy);
        this.order = order;
    }

    /**
     * @param trace in order of submission; no job wider than the cluster
     * @return the jobs by number, all of them ended
     */
    public static List<SimulatedJob> run(
            final List<SwfJob> trace, final int cores, final BackfillPolicy policy, final EventOrder order) {
        final Simulation simulation = new Simulation(cores, policy, order);
        for (final SwfJob job : trace) {
            if (job.cores() > cores) {
                throw new IllegalArgumentException(
                        "job " + job.id() + " needs " + job.cores() + " cores, the cluster has " + cores);
            }
            final SimulatedJob simulated = new SimulatedJob(job);
            simulation.jobs.add(simulated);
            simulation.events.add(job.submit_s(), Kind.SUBMISSION, simulation.rank(Kind.SUBMISSION), simulated);
        }
        simulation.play();
        simulation.jobs.sort(Comparator.comparingLong(SimulatedJob::id));
        return simulation.jobs;
    }

    private int rank(final Kind kind) {
        return switch (kind) {
            case SUBMISSION -> order == EventOrder.PYSS ? 0 : 1;
            case COMPLETION -> order == EventOrder.PYSS ? 1 : 0;
            case START -> 2;
        };
    }

    private void play() {
        while (!events.isEmpty()) {
            switch (order) {
                case PASS_PER_INSTANT -> playInstant(events.next());
                case PYSS -> playSingly(events.next());
            }
        }
    }

    private void playInstant(final Event first) {
        happen(first);
        while (events.hasMoreAt(first.at_s())) {
            happen(events.next());
        }
        cluster.pass(first.at_s()).forEach(this::willEnd);
    }

    private void happen(final Event event) {
        switch (event.kind()) {
            case SUBMISSION -> cluster.submit(event.job());
            case COMPLETION -> cluster.end(event.job());
            case START -> throw new IllegalStateException("starts take effect at once");
        }
    }

    private void playSingly(final Event event) {
        final long now = event.at_s();
        switch (event.kind()) {
            case SUBMISSION -> {
                cluster.submit(event.job());
                if (event.job().cores() <= cluster.idleByLimits(now)) {
                    passByLimits(now);
                }
            }
            case COMPLETION -> {
                cluster.end(event.job());
                passByLimits(now);
            }
            case START -> willEnd(event.job());
        }
    }

    private void passByLimits(final long now_s) {
        cluster.passByLimits(now_s).forEach(job -> events.add(now_s, Kind.START, rank(Kind.START), job));
    }

    private void willEnd(final SimulatedJob job) {
        events.add(job.end_s(), Kind.COMPLETION, rank(Kind.COMPLETION), job);
    }
}
