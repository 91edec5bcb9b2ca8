package io.millrace.simulator;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.model.ClusterId;
import io.millrace.simulator.VirtualCluster.PendingPreemption;
import io.millrace.simulator.swf.SwfJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Runs a trace on virtual clusters, under a clock that jumps from event to event. Deterministic: the same scenario, trace and seed give the same
 * runs.
 */
public final class Simulation {

    private final EventOrder order;
    private final EventQueue timeline = new EventQueue();
    private final List<VirtualCluster> clusters = new ArrayList<>();
    private final Map<SimulatedJob, VirtualCluster> elsewhere = new HashMap<>();
    private final Map<SimulatedJob, Long> staged = new HashMap<>();

    private final @Nullable Broker broker;
    private long brokerTimer_s = Long.MAX_VALUE;

    private Simulation(final EventOrder order, final @Nullable Broker broker) {
        this.order = order;
        this.broker = broker;
    }

    /**
     * One cluster under backfill-service's planner.
     *
     * @param trace in order of submission; no job wider than the cluster
     * @return the jobs by number, all of them ended
     */
    public static List<SimulatedJob> run(
            final List<SwfJob> trace, final int cores, final BackfillPolicy policy, final EventOrder order) {
        return run(trace, Scenario.of(cores, policy, order));
    }

    /** @see #run(List, int, BackfillPolicy, EventOrder) */
    public static List<SimulatedJob> run(final List<SwfJob> trace, final Scenario scenario) {
        return run(trace, scenario, null);
    }

    /**
     * Several clusters whose jobs a broker assigns. The router of the scenario names the own cluster of each job.
     *
     * @see #run(List, int, BackfillPolicy, EventOrder)
     */
    public static List<SimulatedJob> run(
            final List<SwfJob> trace, final Scenario scenario, final @Nullable Broker broker) {
        final Simulation simulation = new Simulation(scenario.order(), broker);
        final boolean nodesFail = scenario.events().stream().anyMatch(d -> d instanceof ClusterEvent.Failure);
        scenario.clusters()
                .forEach(site -> simulation.clusters.add(new VirtualCluster(
                        site.name(),
                        site.cores(),
                        site.scheduler().get(),
                        simulation.timeline,
                        scenario.order(),
                        nodesFail)));
        scenario.events().forEach(d -> simulation.timeline.add(d.at_s(), EventRank.DISTURBANCE, d, 0));
        final List<SimulatedJob> jobs = simulation.jobs(trace, scenario);
        simulation.play(jobs);
        final List<SimulatedJob> byNumber = new ArrayList<>(jobs);
        byNumber.sort(Comparator.comparingLong(SimulatedJob::id));
        return byNumber;
    }

    private List<SimulatedJob> jobs(final List<SwfJob> trace, final Scenario scenario) {
        final SplittableRandom random = new SplittableRandom(scenario.seed());
        final List<SimulatedJob> jobs = new ArrayList<>(trace.size());
        final List<ClusterId> names = scenario.clusters().stream()
                .map(site -> ClusterId.of(site.name()))
                .toList();
        for (final SwfJob job : trace) {
            final int where = clusters.size() == 1 ? 0 : scenario.router().clusterOf(job);
            final boolean checkpointable =
                    scenario.checkpointable() >= 1 || random.nextDouble() < scenario.checkpointable();
            final SimulatedJob simulated = new SimulatedJob(job, names.get(where), checkpointable);
            final long delay_s = scenario.staging().delay_s(job, where);
            if (delay_s > 0) {
                staged.put(simulated, delay_s);
            }
            if (where > 0) {
                elsewhere.put(simulated, clusters.get(where));
            }
            jobs.add(simulated);
        }
        return jobs;
    }

    private VirtualCluster clusterOf(final SimulatedJob job) {
        return elsewhere.isEmpty() ? clusters.getFirst() : elsewhere.getOrDefault(job, clusters.getFirst());
    }

    private void play(final List<SimulatedJob> jobs) {
        final EventRank arrival = arrival();
        int next = 0;
        while (next < jobs.size() || !timeline.isEmpty()) {
            final boolean arrives =
                    next < jobs.size() && arrivesNext(jobs.get(next).submit_s(), arrival);
            final long now = arrives ? jobs.get(next).submit_s() : timeline.time_s();
            if (arrives) {
                submit(jobs.get(next++), now);
            } else {
                happen(now);
            }
            if ((timeline.isEmpty() || timeline.time_s() > now)
                    && (next == jobs.size() || jobs.get(next).submit_s() > now)) {
                endOfInstant(now);
            }
        }
    }

    private void endOfInstant(final long now_s) {
        if (order == EventOrder.PASS_PER_INSTANT) {
            passAll(now_s);
        }
        if (broker != null) {
            assign(broker.decide(now_s), now_s);
        }
    }

    private void assign(final Broker.Decisions decisions, final long now_s) {
        // A pass could start a job that leaves as well.
        decisions.withdrawn().forEach(job -> clusterOf(job).withdraw(job));
        decisions.withdrawn().forEach(job -> passIfPyss(clusterOf(job), now_s, false));
        for (final Broker.Assignment assignment : decisions.assigned()) {
            final SimulatedJob job = assignment.job();
            final VirtualCluster cluster = clusters.get(assignment.cluster());
            elsewhere.put(job, cluster);
            job.enter(ClusterId.of(cluster.name()), now_s);
            enqueue(job, cluster, now_s);
        }
        if (order == EventOrder.PASS_PER_INSTANT) {
            passAll(now_s);
        }
        if (brokerTimer_s <= now_s) {
            brokerTimer_s = Long.MAX_VALUE;
        }
        if (decisions.againAt_s() < brokerTimer_s) {
            brokerTimer_s = Math.max(now_s + 1, decisions.againAt_s());
            timeline.add(brokerTimer_s, EventRank.TIMER, decisions, 0);
        }
    }

    private boolean arrivesNext(final long submit_s, final EventRank arrival) {
        return timeline.isEmpty()
                || submit_s < timeline.time_s()
                || submit_s == timeline.time_s() && arrival.compareTo(timeline.rank()) < 0;
    }

    private void submit(final SimulatedJob job, final long now_s) {
        final Long delay_s = staged.remove(job);
        if (delay_s == null) {
            arrive(job, now_s);
        } else {
            timeline.add(now_s + delay_s, arrival(), job, 0);
        }
    }

    private EventRank arrival() {
        return order == EventOrder.PYSS ? EventRank.EARLY_SUBMISSION : EventRank.SUBMISSION;
    }

    private void arrive(final SimulatedJob job, final long now_s) {
        if (broker == null) {
            enqueue(job, clusterOf(job), now_s);
        } else {
            broker.submitted(job, clusters.indexOf(clusterOf(job)), now_s);
        }
    }

    private void enqueue(final SimulatedJob job, final VirtualCluster cluster, final long now_s) {
        cluster.submit(job, now_s);
        if (order == EventOrder.PYSS && cluster.scheduler().hasRoomFor(job, now_s)) {
            cluster.pass(now_s);
        }
    }

    private void happen(final long now_s) {
        final Object subject = timeline.subject();
        final int detail = timeline.detail();
        final EventRank rank = timeline.rank();
        timeline.advance();
        switch (rank) {
            case START -> start((SimulatedJob) subject, now_s);
            case COMPLETION -> complete(subject, detail, now_s);
            case TIMER -> {
                if (subject instanceof VirtualCluster cluster) {
                    passIfPyss(cluster, now_s, true);
                }
            }
            case DISTURBANCE -> disturb((ClusterEvent) subject, now_s);
            case SUBMISSION, EARLY_SUBMISSION -> arrive((SimulatedJob) subject, now_s);
        }
    }

    private void start(final SimulatedJob job, final long now_s) {
        clusterOf(job).start(job, now_s);
        if (broker != null) {
            broker.started(job, now_s);
        }
    }

    private void complete(final Object subject, final int run, final long now_s) {
        if (subject instanceof PendingPreemption pending) {
            // Its node may have failed in between.
            if (!pending.preemption().job().isBeingPreempted()
                    || pending.preemption().job().starts() != run) {
                return;
            }
            pending.cluster().leave(pending.preemption().job(), pending.preemption(), pending.savedAt_s(), now_s);
            passIfPyss(pending.cluster(), now_s, false);
            return;
        }
        final SimulatedJob job = (SimulatedJob) Objects.requireNonNull(subject);
        // A job that is being checkpointed makes no progress; a preempted one ends at another time.
        if (job.isRunning() && job.starts() == run && !job.isBeingPreempted()) {
            clusterOf(job).complete(job, now_s);
            if (broker != null) {
                broker.ended(job, now_s);
            }
            passIfPyss(clusterOf(job), now_s, false);
        }
    }

    private void disturb(final ClusterEvent disturbance, final long now_s) {
        final VirtualCluster cluster = clusters.get(disturbance.cluster());
        switch (disturbance) {
            case ClusterEvent.Change change -> cluster.change(change.cores(), now_s);
            case ClusterEvent.Failure failure -> cluster.fail(failure.cores(), failure.place(), now_s);
        }
        passIfPyss(cluster, now_s, false);
    }

    private void passIfPyss(final VirtualCluster cluster, final long now_s, final boolean byTimer) {
        if (byTimer) {
            cluster.timerRang(now_s);
        }
        if (order == EventOrder.PYSS && cluster.takeTouched()) {
            cluster.pass(now_s);
        }
    }

    private void passAll(final long now_s) {
        for (final VirtualCluster cluster : clusters) {
            if (cluster.takeTouched()) {
                cluster.pass(now_s);
            }
        }
    }
}
