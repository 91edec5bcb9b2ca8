package io.millrace.backfill.domain.planner;

import io.millrace.backfill.domain.capacity.CapacityProfile;
import io.millrace.backfill.domain.capacity.FreeCapacity;
import io.millrace.backfill.domain.capacity.NodeUsage;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.job.JobAttributes;
import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.Reservation;
import io.millrace.backfill.domain.job.RunTimeHistory;
import io.millrace.backfill.domain.job.RunningJob;
import io.millrace.backfill.domain.job.RunningJobsByEnd;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.backfill.domain.job.Start;
import io.millrace.backfill.domain.job.WaitingQueue;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.decide.NodeShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the planner knows of one cluster: waiting jobs in order, running jobs by expected end, free capacity now and, if the policy or
 * maintenance windows need it, free capacity over time. Not thread-safe.
 */
final class PlannerState {
    private final BackfillPolicy policy;
    private final RunTimeHistory history;
    private final WaitingQueue waiting;
    /** The order in which jobs behind the reservations are tried; the same object as {@link #waiting} if the policy has one order. */
    private final WaitingQueue candidates;

    private final RunningJobsByEnd running = new RunningJobsByEnd();
    private final List<PlannedJob> reservationHolders = new ArrayList<>();
    private final @Nullable CapacityProfile profile;
    private FreeCapacity free;
    private boolean estimatesOutdated;
    /** Running jobs that may still be preempted. */
    private int shrunk;

    PlannerState(
            final BackfillPolicy policy,
            final QueueSnapshot snapshot,
            final RunTimeHistory history,
            final List<PlannedJob> runningJobs) {
        this.policy = policy;
        this.history = history;
        this.free = FreeCapacity.of(snapshot);
        this.waiting = new WaitingQueue(policy.order().comparator());
        this.candidates = policy.candidates() == policy.order()
                ? waiting
                : new WaitingQueue(policy.candidates().comparator());
        running.addAll(runningJobs);
        shrunk = (int) runningJobs.stream().filter(PlannedJob::isShrunk).count();
        placeRunningJobs(snapshot.nodes());
        final boolean needsProfile =
                policy.reservations() > 1 || !snapshot.windows().isEmpty();
        this.profile = needsProfile ? new CapacityProfile(snapshot, runningJobs) : null;
    }

    BackfillPolicy policy() {
        return policy;
    }

    /** Free capacity now; the same object until the next {@link #observe}. */
    FreeCapacity free() {
        return free;
    }

    /** Free capacity over time. @throws NullPointerException unless {@link #hasProfile} */
    CapacityProfile profile() {
        return Objects.requireNonNull(profile, "kept only for more than one reservation or maintenance windows");
    }

    boolean hasProfile() {
        return profile != null;
    }

    WaitingQueue waiting() {
        return waiting;
    }

    WaitingQueue candidates() {
        return candidates;
    }

    /** Whether jobs behind the reservations are tried in the order of the queue. */
    boolean triesInQueueOrder() {
        return candidates == waiting;
    }

    RunningJobsByEnd running() {
        return running;
    }

    void forEachWaiting(final Consumer<PlannedJob> action) {
        for (int i = waiting.next(0); i < waiting.end(); i = waiting.next(i + 1)) {
            action.accept(waiting.at(i));
        }
    }

    void forEachRunning(final Consumer<PlannedJob> action) {
        for (int i = running.first(); i < running.end(); i++) {
            action.accept(running.at(i));
        }
    }

    /** Jobs that hold a reservation, in order, where the policy limits their number. */
    List<PlannedJob> reservationHolders() {
        return List.copyOf(reservationHolders);
    }

    void setReservationHolders(final List<PlannedJob> holders) {
        reservationHolders.clear();
        reservationHolders.addAll(holders);
    }

    /** Replaces the free capacity with the observed one. */
    void observe(final FreeCapacity observed) {
        free = observed;
        placeRunningJobs(observed.nodes());
    }

    /** Distributes what is in use on each node over the jobs that run there. */
    private void placeRunningJobs(final FreeNodeCapacity freeNodes) {
        if (!freeNodes.isEmpty()) {
            final List<PlannedJob> jobs = running.all();
            final List<List<NodeShare>> shares = NodeUsage.of(freeNodes, jobs);
            for (int i = 0; i < jobs.size(); i++) {
                jobs.get(i).placeOn(shares.get(i));
            }
        }
    }

    void queueAll(final List<PlannedJob> jobs) {
        jobs.forEach(job -> job.updateEstimate(policy.estimate(), history));
        waiting.addAll(jobs, this::backfillLength_s);
        if (candidates != waiting) {
            candidates.addAll(jobs, this::backfillLength_s);
        }
    }

    void queue(final PlannedJob job) {
        job.updateEstimate(policy.estimate(), history);
        waiting.add(job, backfillLength_s(job));
        if (candidates != waiting) {
            candidates.add(job, backfillLength_s(job));
        }
    }

    /** Removes a job from the queue. */
    void withdraw(final PlannedJob job) {
        waiting.remove(job);
        if (candidates != waiting) {
            candidates.remove(job);
        }
    }

    /** Removes a job from the queue and gives back its reservation. @return whether it held one */
    boolean withdrawWithReservation(final PlannedJob job) {
        withdraw(job);
        if (!job.holdsReservation()) {
            return false;
        }
        releaseReservation(job);
        reservationHolders.remove(job);
        return true;
    }

    /** The length with which a job is tried for backfill: its estimate, shrunk if the policy says so. */
    private long backfillLength_s(final PlannedJob job) {
        final CheckpointPreemptionPolicy preemption = policy.preemption();
        return preemption == null ? job.estimate_s() : preemption.shrunk_s(job.job(), job.estimate_s(), history);
    }

    /** Whether one more job may run on a shrunk estimate: in the worst case all of them are preempted. */
    boolean mayShrink() {
        final CheckpointPreemptionPolicy preemption = policy.preemption();
        final long jobs = history.endedJobs() + running.end() - running.first() + waiting.size();
        return preemption != null
                && (preemption.maxPreemptedShare() >= 1
                        || history.preemptions() + shrunk < preemption.maxPreemptedShare() * jobs);
    }

    /** Records that a job will have left its cores at that time for the head job. */
    void preempt(final PlannedJob job, final long until_s) {
        running.remove(job);
        job.preempt(until_s);
        running.add(job);
        shrunk--;
        history.preempted();
    }

    /** Adds a job that was started elsewhere; its cores are not part of the free capacity already. */
    void addRunning(final PlannedJob job, final long now_s) {
        running.add(job);
        shrunk += job.isShrunk() ? 1 : 0;
        if (profile != null) {
            profile.take(job.job(), job.shares(), now_s, job.end_s());
        }
    }

    /**
     * Moves a job, or a task of its array, from the queue to its cores.
     *
     * @param shares on each of its nodes; empty if any node will do
     * @param length_s its expected run time, maybe shrunk
     * @return what has started: the job, or a task while other tasks of its array stay in the queue
     */
    PlannedJob start(
            final PlannedJob waitingJob,
            final Start decision,
            final List<NodeShare> shares,
            final long now_s,
            final long length_s) {
        final PlannedJob job = waitingJob.next();
        if (job == waitingJob) {
            withdraw(job);
        }
        final long end_s = ShadowTime.after(now_s, length_s);
        final boolean isShrunk = end_s < ShadowTime.after(now_s, job.estimate_s());
        job.start(decision, now_s, end_s, isShrunk);
        shrunk += isShrunk ? 1 : 0;
        job.placeOn(shares);
        free.take(job.job(), shares);
        running.add(job);
        if (profile != null) {
            profile.take(job.job(), shares, now_s, end_s);
        }
        return job;
    }

    void end(final PlannedJob job, final long now_s) {
        running.remove(job);
        free.release(job);
        job.markEnded();
        shrunk -= job.isShrunk() && !job.isBeingPreempted() ? 1 : 0;
        if (profile != null) {
            profile.release(job.job(), job.shares(), now_s, job.end_s());
        }
    }

    private void moveEnd(final PlannedJob job, final long end_s) {
        running.remove(job);
        if (profile != null) {
            profile.take(job.job(), job.shares(), job.end_s(), end_s);
        }
        job.end_s(end_s);
        running.add(job);
    }

    void changeCores(final int by, final long now_s) {
        free.addCores(by);
        if (profile != null) {
            profile.addCores(now_s, by);
        }
    }

    /** Reserves capacity for a job from that time on. */
    void reserve(final PlannedJob job, final long at_s, final List<NodeShare> shares) {
        job.reserve(at_s, ShadowTime.after(at_s, job.estimate_s()), shares);
        profile().take(job.job(), shares, at_s, job.reservedUntil_s());
    }

    /** Reserves the earliest possible time, if there is one. */
    void reserveEarliest(final PlannedJob job, final long from_s) {
        final long at_s = profile().earliest(job.job(), from_s, job.estimate_s());
        reserve(job, at_s, profile().nodesFor(job.job(), at_s, job.estimate_s()));
    }

    void releaseReservation(final PlannedJob job) {
        profile().release(job.job(), job.reservedOn(), job.reserved_s(), job.reservedUntil_s());
        job.releaseReservation();
    }

    Reservation reservationOf(final PlannedJob job) {
        final long extraCores = profile().cluster().freeAt(job.reserved_s());
        return new Reservation(
                job.job(),
                new ShadowTime(job.reserved_s()),
                (int) Math.max(0, extraCores),
                profile().nodeNames(job.reservedOn()));
    }

    /** Adds an ended run to the history. */
    void learn(final JobAttributes attributes, final long ran_s, final long requested_s) {
        history.ended(attributes, ran_s, requested_s);
        historyChanged();
    }

    void historyChanged() {
        estimatesOutdated |= policy.estimate().changesWithHistory()
                || policy.order().changesWithHistory(policy.estimate())
                || policy.candidates().changesWithHistory(policy.estimate())
                || policy.preemption() != null && policy.preemption().learn();
    }

    /** Brings expected ends, estimates and orders up to date. */
    void refresh(final long now_s) {
        if (profile != null) {
            profile.forgetUntil(now_s);
        }
        correctOverdue(now_s);
        final boolean orderChanges =
                policy.order().changesWithTime() || policy.candidates().changesWithTime();
        if (waiting.size() > 0 && (estimatesOutdated || orderChanges)) {
            forEachWaiting(job -> {
                job.updateEstimate(policy.estimate(), history);
                job.age(now_s);
            });
            reorder();
            estimatesOutdated = false;
        }
    }

    /** Gives the job that holds the first reservation its place at the head of the queue, if the policy keeps it. @return whether it is new */
    boolean keepAtHead(final PlannedJob head) {
        return policy.keepsHead() && head.raisePrecedence(PlannedJob.HEAD);
    }

    void reorder() {
        waiting.reorder(this::backfillLength_s);
        if (candidates != waiting) {
            candidates.reorder(this::backfillLength_s);
        }
    }

    /**
     * A job that exceeds its estimate is expected to run as long again; a job that exceeds its limit is about to be ended. A job that may be
     * preempted keeps its expected end: for the head job its cores count as free at once.
     */
    private void correctOverdue(final long now_s) {
        if (running.isEmpty() || running.end_s(running.first()) > now_s) {
            return;
        }
        final List<PlannedJob> overdue = new ArrayList<>();
        for (int i = running.first(); i < running.end() && running.end_s(i) <= now_s; i++) {
            if (!running.at(i).isPreemptible()) {
                overdue.add(running.at(i));
            }
        }
        for (final PlannedJob job : overdue) {
            final long doubled = now_s + Math.max(60, now_s - job.start_s());
            final long later = job.isBeingPreempted() || job.limitEnd_s() <= now_s
                    ? now_s + RunningJob.OVERDUE_S
                    : Math.min(job.limitEnd_s(), doubled);
            moveEnd(job, later);
        }
    }
}
