package io.millrace.simulator;

import io.millrace.backfill.domain.BackfillPlanner;
import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.QueueView;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.backfill.domain.Start;
import io.millrace.model.JobKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Cores, a queue and what runs; asks backfill-service's planner through its view. */
final class VirtualCluster {

    private final int cores;
    private final BackfillPolicy policy;
    private final Map<JobKey, SimulatedJob> queue = new LinkedHashMap<>();
    private final Map<JobKey, RunningJob> running = new LinkedHashMap<>();
    private int used;

    VirtualCluster(final int cores, final BackfillPolicy policy) {
        this.cores = cores;
        this.policy = policy;
    }

    void submit(final SimulatedJob job) {
        queue.put(job.queued().job(), job);
    }

    void end(final SimulatedJob job) {
        running.remove(job.queued().job());
        used -= job.cores();
    }

    int idle() {
        return cores - used;
    }

    /** Idle cores if every job is gone whose requested time is over by then. */
    int idleByLimits(final long now_s) {
        int overdue = 0;
        for (final RunningJob job : running.values()) {
            overdue += job.end_s() <= now_s ? job.cores() : 0;
        }
        return idle() + overdue;
    }

    /** One planning pass on what is there. */
    List<SimulatedJob> pass(final long now_s) {
        return pass(now_s, idle(), List.copyOf(running.values()));
    }

    /** One planning pass on what the limits promise: jobs whose requested time is over count as gone. */
    List<SimulatedJob> passByLimits(final long now_s) {
        final List<RunningJob> within =
                running.values().stream().filter(job -> job.end_s() > now_s).toList();
        return pass(now_s, idleByLimits(now_s), within);
    }

    private List<SimulatedJob> pass(final long now_s, final int idle, final List<RunningJob> occupied) {
        if (queue.isEmpty() || idle == 0) {
            return List.of();
        }
        final List<QueuedJob> waiting =
                queue.values().stream().map(SimulatedJob::queued).toList();
        final QueueView view = QueueView.ofCores(idle, waiting, occupied);
        final List<SimulatedJob> started = new ArrayList<>();
        for (final Start start : BackfillPlanner.plan(view, policy, now_s).starts()) {
            final JobKey key = start.job().job();
            final SimulatedJob job =
                    Objects.requireNonNull(queue.remove(key), "the planner started a job that does not wait");
            job.start(now_s, start.isBackfilled());
            running.put(key, job.running());
            used += job.cores();
            started.add(job);
        }
        return started;
    }
}
