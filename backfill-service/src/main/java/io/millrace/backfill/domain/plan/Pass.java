package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.CheckpointPreemption;
import io.millrace.backfill.domain.CheckpointPreemptionPolicy;
import io.millrace.backfill.domain.Promises;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.Reservation;
import io.millrace.backfill.domain.Run;
import io.millrace.backfill.domain.RunTimeHistory;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.Start;
import io.millrace.backfill.domain.WaitingJob;
import io.millrace.backfill.domain.capacity.CapacityProfile;
import io.millrace.backfill.domain.capacity.FreeCapacity;
import io.millrace.backfill.domain.capacity.NodeUsage;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.decide.NodeShare;
import io.millrace.model.JobKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The data of one planning pass: waiting jobs in order, running jobs by expected end, free capacity now and, if the policy or maintenance
 * windows need it, over time. Decisions are applied to it as they are made; it ends with the pass.
 */
final class Pass {

    /** A start, with the job as it waited. */
    record Started(WaitingJob job, Start start) {}

    /** Capacity that is reserved for a waiting job. */
    record Slot(long from_s, long until_s, List<NodeShare> shares) {}

    private final BackfillPolicy policy;
    private final RunTimeHistory history;
    private final Promises promises;
    private final long now_s;
    private final WaitingQueue waiting;
    /** The order in which jobs behind the reservations are tried; the same object as {@link #waiting} if the policy has one order. */
    private final WaitingQueue candidates;

    private final List<Run> running = new ArrayList<>();
    private final Set<JobKey> preemptible = new HashSet<>();
    private final FreeCapacity free;
    private final @Nullable CapacityProfile profile;
    private final Map<JobKey, Slot> slots = new HashMap<>();
    private final List<Started> started = new ArrayList<>();
    private final List<Run> victims = new ArrayList<>();

    Pass(final QueueSnapshot queue, final BackfillPolicy policy, final RunTimeHistory history, final long now_s) {
        this.policy = policy;
        this.history = history;
        this.now_s = now_s;
        this.promises = queue.promises();
        this.free = FreeCapacity.of(queue);
        addRunning(queue);
        final boolean needsProfile = policy.reservesOverTime(queue);
        this.profile = needsProfile ? new CapacityProfile(queue, running) : null;
        if (profile != null) {
            profile.forgetUntil(now_s);
        }
        final List<WaitingJob> jobs = new ArrayList<>(queue.queued().size());
        queue.queued().forEach(job -> jobs.add(waiting(job)));
        this.waiting = new WaitingQueue(policy.order().comparator(), jobs);
        this.candidates = policy.candidates() == policy.order()
                ? waiting
                : new WaitingQueue(policy.candidates().comparator(), jobs);
    }

    private void addRunning(final QueueSnapshot queue) {
        final List<RunningJob> observed = queue.running();
        final List<List<NodeShare>> shares = NodeUsage.of(queue.nodes(), observed);
        for (int i = 0; i < observed.size(); i++) {
            final Run run = Run.of(observed.get(i), shares.get(i)).correctedAt(now_s);
            running.add(run);
            if (run.preemptible()) {
                preemptible.add(run.job().job());
            }
        }
        running.sort(Comparator.comparingLong(Run::end_s));
    }

    private WaitingJob waiting(final QueuedJob job) {
        final long estimate_s = history.expected_s(policy.estimate(), job);
        final CheckpointPreemptionPolicy preemption = policy.preemption();
        final long recent_s =
                policy.order().usesRecentRuns() || policy.candidates().usesRecentRuns() ? history.recent2_s(job) : 0;
        final double run_s = Math.max(10, recent_s);
        final long waited_s = now_s - job.job().submittedAt().getEpochSecond();
        return new WaitingJob(
                job,
                job.cores(),
                precedence(job),
                estimate_s,
                preemption == null ? estimate_s : preemption.shrunk_s(job, estimate_s, history),
                recent_s,
                (waited_s + run_s) / run_s,
                job.count());
    }

    private int precedence(final QueuedJob job) {
        final CheckpointPreemptionPolicy preemption = policy.preemption();
        if (promises.beneficiaries().contains(job.job())) {
            return WaitingJob.BENEFICIARY;
        }
        final boolean isPromised = job.job().equals(promises.head())
                || profile != null && promises.reservations().containsKey(job.job());
        if (policy.keepsHead() && isPromised) {
            return WaitingJob.HEAD;
        }
        final boolean toHead = job.attributes().preemptions() > 0 && (preemption == null || preemption.requeueAtHead());
        return toHead ? WaitingJob.PREEMPTED : 0;
    }

    BackfillPolicy policy() {
        return policy;
    }

    Promises promises() {
        return promises;
    }

    long now_s() {
        return now_s;
    }

    /** Free capacity now. */
    FreeCapacity free() {
        return free;
    }

    /** Free capacity over time. @throws NullPointerException unless {@link BackfillPolicy#reservesOverTime} */
    CapacityProfile profile() {
        return Objects.requireNonNull(profile, "only for more than one reservation or maintenance windows");
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

    /** Running jobs by expected end. */
    List<Run> running() {
        return running;
    }

    List<Started> started() {
        return started;
    }

    /** Jobs that this pass preempts. */
    List<Run> victims() {
        return victims;
    }

    /** Whether one more job may run on a shrunk estimate: in the worst case all of them are preempted. */
    boolean mayShrink() {
        final CheckpointPreemptionPolicy preemption = policy.preemption();
        final long jobs = history.endedJobs() + running.size() + waiting.size();
        return preemption != null
                && (preemption.maxPreemptedShare() >= 1
                        || history.preemptions() + victims.size() + preemptible.size()
                                < preemption.maxPreemptedShare() * jobs);
    }

    /** Records that a job will have left its cores at that time for the head job. */
    void preempt(final Run run, final long until_s) {
        running.remove(run);
        add(run.preemptedUntil(until_s));
        preemptible.remove(run.job().job());
        victims.add(run);
    }

    /** Inserts a run behind those that end at the same time. */
    private void add(final Run run) {
        int low = 0;
        int high = running.size();
        while (low < high) {
            final int middle = (low + high) >>> 1;
            if (running.get(middle).end_s() > run.end_s()) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        running.add(low, run);
    }

    /**
     * Moves a job, or a task of its array, from the queue to its cores. After a start in another partition, the other tasks of an array wait
     * for the next pass.
     *
     * @param as the job in the partition in which it starts
     * @param shares on each of its nodes; empty if any node will do
     * @param length_s its expected run time, maybe shrunk
     * @return what is left in the queue; null if nothing is
     */
    @Nullable
    WaitingJob start(
            final WaitingJob job,
            final QueuedJob as,
            final Start decision,
            final List<NodeShare> shares,
            final long length_s) {
        final WaitingJob rest = job.tasks() == 1 || as.startsInOtherPartition() ? null : job.withoutOneTask();
        leave(waiting, job, rest);
        if (candidates != waiting) {
            leave(candidates, job, rest);
        }
        final long end_s = ShadowTime.after(now_s, length_s);
        final boolean isShrunk = end_s < ShadowTime.after(now_s, job.estimate_s());
        if (isShrunk) {
            preemptible.add(as.job());
        }
        started.add(new Started(job, isShrunk ? decision.shrunkTo(end_s) : decision));
        free.take(as, shares);
        add(new Run(as, now_s, end_s, as.endIfStartedAt(now_s), isShrunk, shares));
        if (profile != null) {
            profile.take(as, shares, now_s, end_s);
        }
        return rest;
    }

    private static void leave(final WaitingQueue queue, final WaitingJob job, final @Nullable WaitingJob rest) {
        if (rest == null) {
            queue.remove(job);
        } else {
            queue.replace(job, rest);
        }
    }

    /** Gives the job with the first reservation its place at the head of the queue, if the policy keeps it. @return whether it is new there */
    boolean keepAtHead(final WaitingJob head) {
        final boolean isNew = policy.keepsHead() && head.precedence() < WaitingJob.HEAD;
        if (isNew) {
            raise(head, WaitingJob.HEAD);
        }
        return isNew;
    }

    void raise(final WaitingJob job, final int precedence) {
        waiting.raise(job, precedence);
        if (candidates != waiting) {
            candidates.raise(job, precedence);
        }
    }

    boolean isReserved(final WaitingJob job) {
        return slots.containsKey(job.job().job());
    }

    /** The time that is reserved for it; {@link Long#MIN_VALUE} if none is. */
    long reserved_s(final WaitingJob job) {
        final Slot slot = slots.get(job.job().job());
        return slot == null ? Long.MIN_VALUE : slot.from_s;
    }

    /** What is reserved for it. @throws NullPointerException unless {@link #isReserved} */
    Slot slot(final WaitingJob job) {
        return Objects.requireNonNull(slots.get(job.job().job()), "it holds no reservation");
    }

    /** Reserves capacity for a job from that time on. */
    void reserve(final WaitingJob job, final long from_s, final List<NodeShare> shares) {
        putBack(job, new Slot(from_s, ShadowTime.after(from_s, job.estimate_s()), shares));
    }

    /** Reserves what it held before. */
    void putBack(final WaitingJob job, final Slot slot) {
        slots.put(job.job().job(), slot);
        profile().take(job.job(), slot.shares, slot.from_s, slot.until_s);
    }

    /** Reserves the earliest possible time, which may be {@link ShadowTime#NEVER}. @return that time */
    long reserveEarliest(final WaitingJob job, final long from_s) {
        final long at_s = profile().earliest(job.job(), from_s, job.estimate_s());
        reserve(job, at_s, profile().nodesFor(job.job(), at_s, job.estimate_s()));
        return at_s;
    }

    Slot release(final WaitingJob job) {
        final Slot slot = slot(job);
        profile().release(job.job(), slot.shares, slot.from_s, slot.until_s);
        slots.remove(job.job().job());
        return slot;
    }

    Reservation reservationOf(final WaitingJob job) {
        final Slot slot = slot(job);
        final long extraCores = profile().cluster().freeAt(slot.from_s);
        return new Reservation(
                job.job(),
                new ShadowTime(slot.from_s),
                (int) Math.max(0, extraCores),
                profile().nodeNames(slot.shares));
    }

    Schedule schedule(final List<Reservation> reservations, final long replanAt_s) {
        final Set<JobKey> starting =
                started.stream().map(each -> each.job.job().job()).collect(Collectors.toSet());
        final List<WaitingJob> left = waiting.left();
        if (!starting.isEmpty()) {
            // The tasks of an array that do not start wait for the revision that shows them, as the array is one job
            // until then.
            left.removeIf(job -> starting.contains(job.job().job()));
        }
        return new Schedule(
                started.stream().map(Started::start).toList(),
                victims.stream()
                        .map(run -> new CheckpointPreemption(
                                run.job().job(),
                                run.cores(),
                                run.job().attributes().checkpointable(),
                                reservations.getFirst()))
                        .toList(),
                reservations,
                left,
                free,
                new ShadowTime(replanAt_s));
    }
}
