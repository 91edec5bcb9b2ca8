package io.millrace.simulator;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.CheckpointPreemption;
import io.millrace.backfill.domain.CheckpointPreemptionPolicy;
import io.millrace.backfill.domain.Estimate;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.Reservation;
import io.millrace.backfill.domain.RunTimeHistory;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.Start;
import io.millrace.backfill.domain.view.VirtualQueue;
import io.millrace.model.JobKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** backfill-service's planner as the scheduler of a virtual cluster. */
public final class BackfillScheduler implements ClusterScheduler {

    private final BackfillPolicy policy;
    private final RunTimeHistory history = new RunTimeHistory();
    private final VirtualQueue queue;
    private final boolean endsByLimits;
    private final Map<JobKey, SimulatedJob> jobs = new HashMap<>();
    private final Set<SimulatedJob> backfilled = new HashSet<>();

    /** @param endsByLimits whether the cores of a job whose requested time is over count as free before its completion, as in pyss */
    public BackfillScheduler(final int cores, final BackfillPolicy policy, final boolean endsByLimits) {
        this.policy = policy;
        this.queue = new VirtualQueue(cores, policy, history);
        this.endsByLimits = endsByLimits
                && (policy.reservations() <= 1 || policy.reservations() == BackfillPolicy.ALL)
                && policy.estimate() == Estimate.REQUESTED
                && policy.preemption() == null;
    }

    @Override
    public void submitted(final SimulatedJob job, final long now_s) {
        final QueuedJob queued = job.queued();
        jobs.put(queued.job(), job);
        queue.queue(queued);
    }

    @Override
    public void withdrawn(final SimulatedJob job) {
        jobs.remove(key(job));
        queue.withdraw(key(job));
    }

    @Override
    public void ended(final SimulatedJob job, final long now_s) {
        leave(job);
        history.ended(job.queued().attributes(), job.run_s(), job.requested_s());
    }

    @Override
    public void preempted(final SimulatedJob job, final long now_s) {
        leave(job);
    }

    private void leave(final SimulatedJob job) {
        backfilled.remove(job);
        jobs.remove(key(job));
        queue.end(key(job));
    }

    private static JobKey key(final SimulatedJob job) {
        return job.queued().job();
    }

    private SimulatedJob job(final JobKey key) {
        return Objects.requireNonNull(jobs.get(key), "the planner decided about a job that is not here");
    }

    @Override
    public void coresChanged(final int by, final long now_s) {
        queue.changeCores(by);
    }

    @Override
    public Decisions decide(final long now_s) {
        dropOverdue(now_s);
        final Schedule schedule = queue.decide(now_s);
        final Reservation first = schedule.reservation();
        if (first != null && first.shadow().isForeseeable()) {
            job(first.head().job()).reserve(first.shadow().second());
        }
        final List<SimulatedJob> starts = new ArrayList<>(schedule.starts().size());
        for (final Start start : schedule.starts()) {
            final SimulatedJob job = job(start.job().job());
            starts.add(job);
            if (start.isBackfilled()) {
                backfilled.add(job);
            }
        }
        final long replanAt_s = schedule.replanAt().second();
        return new Decisions(
                starts,
                preemptions(schedule.preemptions(), policy.preemption()),
                replanAt_s >= ShadowTime.NEVER ? Long.MAX_VALUE : replanAt_s);
    }

    private List<Preemption> preemptions(
            final List<CheckpointPreemption> victims, final @Nullable CheckpointPreemptionPolicy preemption) {
        return preemption == null
                ? List.of()
                : victims.stream()
                        .map(victim -> victim.keepsWork()
                                ? new Preemption(
                                        job(victim.job()), true, preemption.checkpoint_s(), preemption.restart_s())
                                : new Preemption(job(victim.job()), false, 0, 0))
                        .toList();
    }

    private void dropOverdue(final long now_s) {
        if (endsByLimits) {
            queue.expire(now_s);
        }
    }

    @Override
    public boolean hasRoomFor(final SimulatedJob job, final long now_s) {
        dropOverdue(now_s);
        return policy.reservations() > 1 || job.cores() <= queue.idleCores();
    }

    @Override
    public boolean startedBeforeTurn(final SimulatedJob job) {
        return backfilled.contains(job);
    }
}
