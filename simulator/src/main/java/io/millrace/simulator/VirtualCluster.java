package io.millrace.simulator;

import io.millrace.simulator.ClusterScheduler.Decisions;
import io.millrace.simulator.ClusterScheduler.Preemption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The cores of a cluster and the jobs that occupy them. Executes the decisions of its scheduler and checks that they are possible. */
final class VirtualCluster {

    private final String name;
    private final ClusterScheduler scheduler;
    private final EventQueue timeline;
    private final boolean startsLast;
    private final int capacity;
    /** Running jobs in the order of their starts; kept only if nodes can fail. */
    private final @Nullable Set<SimulatedJob> running;

    private int cores;
    private int used;
    private long timer_s = Long.MAX_VALUE;
    private boolean touched;

    VirtualCluster(
            final String name,
            final int cores,
            final ClusterScheduler scheduler,
            final EventQueue timeline,
            final EventOrder order,
            final boolean nodesFail) {
        this.name = name;
        this.cores = cores;
        this.capacity = cores;
        this.running = nodesFail ? new LinkedHashSet<>() : null;
        this.scheduler = scheduler;
        this.timeline = timeline;
        this.startsLast = order == EventOrder.PYSS;
    }

    ClusterScheduler scheduler() {
        return scheduler;
    }

    void submit(final SimulatedJob job, final long now_s) {
        if (job.cores() > capacity) {
            throw new IllegalArgumentException(
                    "job " + job.id() + " needs " + job.cores() + " cores, cluster '" + name + "' has " + capacity);
        }
        scheduler.submitted(job, now_s);
        touched = true;
    }

    /** A waiting job leaves the queue. */
    void withdraw(final SimulatedJob job) {
        scheduler.withdrawn(job);
        touched = true;
    }

    String name() {
        return name;
    }

    /** A run has ended, or its checkpoint is written. */
    void complete(final SimulatedJob job, final long now_s) {
        vacate(job);
        job.end(now_s);
        scheduler.ended(job, now_s);
        touched = true;
    }

    void leave(final SimulatedJob job, final Preemption preemption, final long savedAt_s, final long now_s) {
        vacate(job);
        scheduler.preempted(job, now_s);
        job.preempted(now_s, savedAt_s, preemption.keepsWork(), preemption.restart_s());
        scheduler.submitted(job, now_s);
        touched = true;
    }

    /** Adds cores, or removes idle ones if negative, and reports it to the scheduler. */
    void change(final int by, final long now_s) {
        if (used > cores + by) {
            throw new IllegalStateException("cannot remove " + -by + " cores from cluster '" + name + "': " + used
                    + " of " + cores + " are in use");
        }
        cores += by;
        scheduler.coresChanged(by, now_s);
        touched = true;
    }

    /** Fails a node and the runs on it. @param place of its cores among the used ones, by start, followed by the idle ones */
    void fail(final int nodeCores, final double place, final long now_s) {
        final long from = (long) (place * (cores - nodeCores + 1));
        final List<SimulatedJob> hit = new ArrayList<>();
        long at = 0;
        for (final SimulatedJob job : Objects.requireNonNull(running, "kept only if nodes can fail")) {
            if (at < from + nodeCores && at + job.cores() > from) {
                hit.add(job);
            }
            at += job.cores();
        }
        for (final SimulatedJob job : hit) {
            vacate(job);
            scheduler.preempted(job, now_s);
            job.fail(now_s);
        }
        change(-nodeCores, now_s);
        hit.forEach(job -> scheduler.submitted(job, now_s));
    }

    private void vacate(final SimulatedJob job) {
        used -= job.cores();
        if (running != null) {
            running.remove(job);
        }
    }

    void timerRang(final long now_s) {
        if (timer_s <= now_s) {
            timer_s = Long.MAX_VALUE;
            touched = true;
        }
    }

    boolean takeTouched() {
        final boolean was = touched;
        touched = false;
        return was;
    }

    /** Requests decisions from the scheduler and executes them. */
    void pass(final long now_s) {
        final Decisions decisions = scheduler.decide(now_s);
        for (final SimulatedJob job : decisions.starts()) {
            if (startsLast) {
                timeline.add(now_s, EventRank.START, job, 0);
            } else {
                start(job, now_s);
            }
        }
        for (final Preemption preemption : decisions.preemptions()) {
            preemption.job().beginPreemption();
            timeline.add(
                    now_s + preemption.checkpoint_s(),
                    EventRank.COMPLETION,
                    new PendingPreemption(this, preemption, now_s),
                    preemption.job().starts());
        }
        if (decisions.replanAt_s() < timer_s) {
            timer_s = decisions.replanAt_s();
            timeline.add(timer_s, EventRank.TIMER, this, 0);
        }
    }

    /** A checkpoint that is being written. */
    record PendingPreemption(VirtualCluster cluster, Preemption preemption, long savedAt_s) {}

    void start(final SimulatedJob job, final long now_s) {
        used += job.cores();
        if (used > cores) {
            throw new IllegalStateException("cluster '" + name + "' would run " + used + " cores of " + cores + " at "
                    + now_s + " with job " + job.id());
        }
        if (running != null) {
            running.add(job);
        }
        job.start(now_s, scheduler.startedBeforeTurn(job));
        timeline.add(job.ownEnd_s(), EventRank.COMPLETION, job, job.starts());
    }
}
