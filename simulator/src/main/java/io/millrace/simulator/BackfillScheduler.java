package io.millrace.simulator;

import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.job.Estimate;
import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.Reservation;
import io.millrace.backfill.domain.job.RunTimeHistory;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.backfill.domain.planner.BackfillPlanner;
import io.millrace.backfill.domain.planner.BackfillPolicy;
import io.millrace.backfill.domain.planner.CheckpointPreemptionPolicy;
import io.millrace.backfill.domain.planner.PassDecisions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** backfill-service's planner as the scheduler of a virtual cluster. */
public final class BackfillScheduler implements ClusterScheduler {

    private final BackfillPolicy policy;
    private final BackfillPlanner planner;
    private final boolean endsByLimits;
    private final Map<QueuedJob, SimulatedJob> waiting = new IdentityHashMap<>();
    private final Map<SimulatedJob, PlannedJob> queued = new HashMap<>();
    private final Map<SimulatedJob, PlannedJob> running = new HashMap<>();
    private @Nullable QueuedJob head;
    private @Nullable SimulatedJob headJob;

    /** @param endsByLimits whether the cores of a job whose requested time is over count as free before its completion, as in pyss */
    public BackfillScheduler(final int cores, final BackfillPolicy policy, final boolean endsByLimits) {
        this.policy = policy;
        this.endsByLimits = endsByLimits
                && (policy.reservations() <= 1 || policy.reservations() == BackfillPolicy.ALL)
                && policy.estimate() == Estimate.REQUESTED
                && policy.preemption() == null;
        this.planner =
                new BackfillPlanner(policy, QueueSnapshot.ofCores(cores, List.of(), List.of()), new RunTimeHistory());
    }

    @Override
    public void submitted(final SimulatedJob job, final long now_s) {
        waiting.put(job.queued(), job);
        queued.put(job, planner.queue(job.queued()));
    }

    @Override
    public void withdrawn(final SimulatedJob job) {
        waiting.remove(job.queued());
        planner.withdraw(Objects.requireNonNull(queued.remove(job), "the job is not waiting"));
    }

    @Override
    public void ended(final SimulatedJob job, final long now_s) {
        leave(job, now_s);
        planner.learn(job.queued().attributes(), job.run_s(), job.requested_s());
    }

    @Override
    public void preempted(final SimulatedJob job, final long now_s) {
        leave(job, now_s);
    }

    private void leave(final SimulatedJob job, final long now_s) {
        final PlannedJob planned = Objects.requireNonNull(running.remove(job), "the job is not running");
        if (planned.isRunning()) {
            planner.end(planned, now_s);
        } else {
            planner.retryReservations();
        }
    }

    @Override
    public void coresChanged(final int by, final long now_s) {
        planner.changeCores(by, now_s);
    }

    @Override
    public Decisions decide(final long now_s) {
        dropOverdue(now_s);
        final PassDecisions decisions = planner.decide(now_s);
        if (!decisions.reservations().isEmpty()) {
            reserve(decisions.reservations().getFirst());
        }
        if (decisions.started().isEmpty() && decisions.preempted().isEmpty()) {
            return decisions.replanAt_s() >= ShadowTime.NEVER
                    ? Decisions.NONE
                    : new Decisions(List.of(), List.of(), decisions.replanAt_s());
        }
        final List<SimulatedJob> starts = new ArrayList<>(decisions.started().size());
        for (final PlannedJob planned : decisions.started()) {
            final SimulatedJob job = Objects.requireNonNull(
                    waiting.remove(planned.job()), "the planner started a job that is not waiting");
            queued.remove(job);
            running.put(job, planned);
            starts.add(job);
        }
        final long replanAt = decisions.replanAt_s() >= ShadowTime.NEVER ? Long.MAX_VALUE : decisions.replanAt_s();
        return new Decisions(starts, preemptions(decisions), replanAt);
    }

    private List<Preemption> preemptions(final PassDecisions decisions) {
        final CheckpointPreemptionPolicy preemption = policy.preemption();
        if (decisions.preempted().isEmpty() || preemption == null) {
            return List.of();
        }
        final Map<PlannedJob, SimulatedJob> byPlan = new IdentityHashMap<>();
        running.forEach((job, planned) -> byPlan.put(planned, job));
        return decisions.preempted().stream()
                .map(planned ->
                        Objects.requireNonNull(byPlan.get(planned), "the planner preempted a job that is not running"))
                .map(job -> job.checkpointable()
                        ? new Preemption(job, true, preemption.checkpoint_s(), preemption.restart_s())
                        : new Preemption(job, false, 0, 0))
                .toList();
    }

    private void reserve(final Reservation reservation) {
        if (head != reservation.head()) {
            head = reservation.head();
            headJob = waiting.get(head);
        }
        if (headJob != null && reservation.shadow().isForeseeable()) {
            headJob.reserve(reservation.shadow().second());
        }
    }

    private void dropOverdue(final long now_s) {
        while (endsByLimits && planner.nextExpectedEnd_s() <= now_s) {
            planner.expire(planner.nextToEnd(), now_s);
        }
    }

    @Override
    public boolean hasRoomFor(final SimulatedJob job, final long now_s) {
        dropOverdue(now_s);
        return policy.reservations() > 1 || job.cores() <= planner.idleCores();
    }

    @Override
    public boolean startedBeforeTurn(final SimulatedJob job) {
        final PlannedJob planned = Objects.requireNonNull(running.get(job), "the job is not running");
        return planned.decision() != null && planned.decision().isBackfilled();
    }
}
