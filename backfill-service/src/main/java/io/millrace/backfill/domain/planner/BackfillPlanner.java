package io.millrace.backfill.domain.planner;

import io.millrace.backfill.domain.capacity.FreeCapacity;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.job.CheckpointPreemption;
import io.millrace.backfill.domain.job.EarlierReservation;
import io.millrace.backfill.domain.job.JobAttributes;
import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.Reservation;
import io.millrace.backfill.domain.job.RunTimeHistory;
import io.millrace.backfill.domain.job.RunningJob;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.backfill.domain.job.WaitingJobs;
import io.millrace.backfill.domain.job.WaitingQueue;
import io.millrace.model.JobKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Decides which waiting jobs start now, which reservations the others hold, and which running jobs are preempted when a reservation is due.
 * FCFS, EASY, conservative and checkpoint backfill are settings of its policy. Pure: the same calls give the same decisions.
 *
 * <p>The planner keeps its state between passes, so that a pass costs what has changed: report arrivals, starts that it did not decide, and
 * ends, then call {@link #decide}. {@link #planOnce} gives the same result for a snapshot. Not thread-safe.
 */
public final class BackfillPlanner {

    private final BackfillPolicy policy;
    private final PlannerState state;
    private final List<PlannedJob> arrived = new ArrayList<>();
    /** Reservations of an earlier planner; the first decision renews them. */
    private Map<JobKey, EarlierReservation> earlierReservations;
    /** Whether capacity has been released, so that reservations may move forward. */
    private boolean capacityReleased;

    /**
     * @param snapshot the queue and the running jobs to begin with
     * @param history run times of ended jobs; report further ones through {@link #learn}
     */
    public BackfillPlanner(final BackfillPolicy policy, final QueueSnapshot snapshot, final RunTimeHistory history) {
        this.policy = policy;
        this.state = new PlannerState(
                policy,
                snapshot,
                history,
                snapshot.running().stream().map(BackfillPlanner::running).toList());
        this.earlierReservations = state.hasProfile() ? snapshot.reservations() : Map.of();
        final List<PlannedJob> waiting = snapshot.queued().stream()
                .map(job -> waiting(job, snapshot.beneficiaries().contains(job.job())))
                .toList();
        state.queueAll(waiting);
        arrived.addAll(waiting);
    }

    /** One pass over a snapshot. @param now_s whole seconds since the epoch, or since any other start that all times share */
    public static Schedule planOnce(final QueueSnapshot snapshot, final BackfillPolicy policy, final long now_s) {
        return planOnce(snapshot, policy, new RunTimeHistory(), now_s);
    }

    /** @param history run times of ended jobs, for policies that estimate from them */
    public static Schedule planOnce(
            final QueueSnapshot snapshot, final BackfillPolicy policy, final RunTimeHistory history, final long now_s) {
        final BackfillPlanner planner = new BackfillPlanner(policy, snapshot, history);
        final PassDecisions decisions = planner.decide(now_s);
        return planner.schedule(decisions, List.copyOf(planner.waitingInOrder()));
    }

    private PlannedJob waiting(final QueuedJob job, final boolean isBeneficiary) {
        return new PlannedJob(job, precedence(job, isBeneficiary));
    }

    /** @param isBeneficiary whether other jobs are being preempted for it */
    public int precedence(final QueuedJob job, final boolean isBeneficiary) {
        final CheckpointPreemptionPolicy preemption = policy.preemption();
        if (isBeneficiary) {
            return PlannedJob.BENEFICIARY;
        }
        if (policy.keepsHead() && (job.attributes().isHead() || earlierReservations.containsKey(job.job()))) {
            return PlannedJob.HEAD;
        }
        final boolean toHead = job.attributes().preemptions() > 0 && (preemption == null || preemption.requeueAtHead());
        return toHead ? PlannedJob.PREEMPTED : 0;
    }

    private static PlannedJob running(final RunningJob observed) {
        final QueuedJob job = new QueuedJob(
                observed.job(),
                observed.resources(),
                observed.partition(),
                ShadowTime.NEVER,
                0,
                false,
                observed.attributes(),
                observed.placement(),
                List.of());
        final PlannedJob planned = new PlannedJob(job, 0);
        planned.running(observed);
        return planned;
    }

    /** Adds a job to the queue. */
    public PlannedJob queue(final QueuedJob job) {
        return queue(job, false);
    }

    /** @param isBeneficiary whether other jobs are being preempted for it */
    public PlannedJob queue(final QueuedJob job, final boolean isBeneficiary) {
        final PlannedJob planned = waiting(job, isBeneficiary);
        state.queue(planned);
        arrived.add(planned);
        return planned;
    }

    /** Removes a job from the queue that has left without a start. */
    public void withdraw(final PlannedJob job) {
        arrived.remove(job);
        capacityReleased |= state.withdrawWithReservation(job);
    }

    /** Adds a running job that this planner did not start. Report the free capacity by {@link #observe}. */
    public PlannedJob addRunning(final RunningJob observed, final long now_s) {
        final PlannedJob planned = running(observed);
        state.addRunning(planned, now_s);
        return planned;
    }

    /** Replaces the free capacity by what was observed. */
    public void observe(final FreeCapacity observed) {
        state.observe(observed);
    }

    /** The capacity that is free after the decisions so far. */
    public FreeCapacity freeCapacity() {
        return state.free();
    }

    /** All waiting and running jobs. */
    public List<PlannedJob> jobs() {
        final List<PlannedJob> all = new ArrayList<>();
        state.forEachWaiting(all::add);
        state.forEachRunning(all::add);
        return all;
    }

    public WaitingQueue waitingQueue() {
        return state.waiting();
    }

    /** A running job has released its cores: it has ended or was preempted. */
    public void end(final PlannedJob job, final long now_s) {
        state.end(job, now_s);
        capacityReleased = true;
    }

    /** The walltime of a running job is over: its cores count as free, as planned, although its end has not been observed yet. */
    public void expire(final PlannedJob job, final long now_s) {
        state.end(job, now_s);
    }

    /** Makes the next decision try every reservation again, as after an end. */
    public void retryReservations() {
        capacityReleased = true;
    }

    /** Adds cores to the cluster, or removes them if negative; cores that are removed must be free. */
    public void changeCores(final int by, final long now_s) {
        state.changeCores(by, now_s);
        capacityReleased = true;
    }

    /** Records a job that ran to its own end, in seconds of work, with its requested walltime. */
    public void learn(final JobAttributes attributes, final long ran_s, final long requested_s) {
        state.learn(attributes, ran_s, requested_s);
    }

    /** Runs have been added to the history. */
    public void historyChanged() {
        state.historyChanged();
    }

    /** Decides, and applies the decisions to the state: started jobs run, and preempted jobs will have left when their checkpoint is written. */
    public PassDecisions decide(final long now_s) {
        state.refresh(now_s);
        if (!earlierReservations.isEmpty()) {
            renewEarlierReservations(now_s);
        }
        final PassDecisions decisions = pass(now_s);
        arrived.clear();
        capacityReleased = false;
        return decisions;
    }

    private PassDecisions pass(final long now_s) {
        if (policy.reservations() == BackfillPolicy.ALL) {
            arrived.sort(policy.order().comparator());
            return new ConservativeBackfill(state, now_s).decide(arrived, capacityReleased);
        }
        if (state.waiting().size() == 0) {
            return PassDecisions.NOTHING;
        }
        return state.hasProfile()
                ? new MultiReservationBackfill(state, now_s).decide()
                : new EasyBackfill(state, now_s).decide();
    }

    private void renewEarlierReservations(final long now_s) {
        final EarlierReservations earlier = new EarlierReservations(state, now_s);
        earlier.add(arrived, earlierReservations);
        if (policy.reservations() == BackfillPolicy.ALL) {
            earlier.keepOrMove();
        } else {
            earlier.keepOrReplanAll();
            state.setReservationHolders(earlier.holders());
        }
        arrived.removeIf(PlannedJob::holdsReservation);
        capacityReleased = true;
        earlierReservations = Map.of();
    }

    public int idleCores() {
        return state.free().idle();
    }

    public int waitingCount() {
        return state.waiting().size();
    }

    /** The first expected end of a running job; {@link ShadowTime#NEVER} if there is none. */
    public long nextExpectedEnd_s() {
        return state.running().isEmpty()
                ? ShadowTime.NEVER
                : state.running().end_s(state.running().first());
    }

    /** The running job with the first expected end. @throws IllegalStateException if no job runs */
    public PlannedJob nextToEnd() {
        if (state.running().isEmpty()) {
            throw new IllegalStateException("no job runs");
        }
        return state.running().at(state.running().first());
    }

    /** A view of the waiting jobs in order; valid until something changes. */
    public Collection<QueuedJob> waitingInOrder() {
        return new WaitingJobs(state.waiting());
    }

    /** The decisions as values. */
    public Schedule schedule(final PassDecisions decisions, final Collection<QueuedJob> waiting) {
        return new Schedule(
                decisions.started().stream().map(PlannedJob::startDecision).toList(),
                decisions.preempted().stream()
                        .map(job -> preemption(job, decisions.reservations().getFirst()))
                        .toList(),
                policy.reservations() == BackfillPolicy.ALL ? allReservations() : decisions.reservations(),
                waiting,
                new ShadowTime(decisions.replanAt_s()));
    }

    private static CheckpointPreemption preemption(final PlannedJob job, final Reservation beneficiary) {
        return new CheckpointPreemption(
                job.job().job(), job.cores(), job.job().attributes().checkpointable(), beneficiary);
    }

    private List<Reservation> allReservations() {
        final List<Reservation> reservations = new ArrayList<>();
        state.forEachWaiting(job -> reservations.add(state.reservationOf(job)));
        return reservations;
    }
}
