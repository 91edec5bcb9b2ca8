package io.millrace.backfill.domain.job;

import io.millrace.decide.NodeShare;
import io.millrace.model.NodeName;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job from its arrival in the planner to its end, with its estimate, reservation and run. Callers of the planner keep the object to
 * refer to the job later. A job that is preempted and queued again becomes a new object, and so does each task that starts of an array
 * while others wait.
 */
public final class PlannedJob {

    static final long NONE = -1;

    /** Precedence of a job that was preempted: it goes before the other jobs. */
    public static final int PREEMPTED = 1;

    /** Precedence of the job that holds the first reservation and keeps it. */
    public static final int HEAD = 2;

    /** Precedence of a job for which other jobs are preempted. */
    public static final int BENEFICIARY = 3;

    public static final Comparator<PlannedJob> BY_SUBMISSION = (one, other) -> one.submit_s != other.submit_s
            ? Long.compare(one.submit_s, other.submit_s)
            : QueuedJob.BY_SUBMISSION.compare(one.job, other.job);

    private QueuedJob job;
    private final long submit_s;
    private final int cores;
    private int precedence;
    private int tasks;
    private long estimate_s;
    private long recent_s;
    private double expansion = 1;
    private long reserved_s = NONE;
    private long reservedUntil_s = NONE;
    private long start_s = NONE;
    private long end_s = NONE;
    private long limitEnd_s = NONE;
    private boolean shrunk;
    private boolean beingPreempted;
    private boolean running;
    private @Nullable Start decision;
    private List<NodeShare> shares = List.of();
    private List<NodeShare> reservedOn = List.of();
    private List<NodeName> observedNodes = List.of();
    private @Nullable PublishedPlan published;

    public PlannedJob(final QueuedJob job, final int precedence) {
        this.job = job;
        this.submit_s = job.job().submittedAt().getEpochSecond();
        this.cores = job.cores();
        this.precedence = precedence;
        this.tasks = job.count();
    }

    /**
     * What starts of it: the job itself if it is the last task, else a task of its array. Tasks start in one partition, so the others no
     * longer try another one; after a start in another partition they wait for the next pass.
     */
    public PlannedJob next() {
        if (tasks == 1 || job.startsInOtherPartition()) {
            return this;
        }
        tasks--;
        job = job.onlyHere();
        final PlannedJob task = new PlannedJob(job, precedence);
        task.estimate_s = estimate_s;
        task.recent_s = recent_s;
        task.expansion = expansion;
        return task;
    }

    public QueuedJob job() {
        return job;
    }

    /** Makes it start in another partition. */
    public void moveTo(final QueuedJob inOtherPartition) {
        job = inOtherPartition;
    }

    public int cores() {
        return cores;
    }

    /** A larger value goes first in every order. */
    public int precedence() {
        return precedence;
    }

    /** Raises the precedence to at least this value. @return whether it has changed */
    public boolean raisePrecedence(final int to) {
        final boolean higher = to > precedence;
        precedence = Math.max(precedence, to);
        return higher;
    }

    public boolean isBeneficiary() {
        return precedence == BENEFICIARY;
    }

    /** Its expected run time in seconds. */
    public long estimate_s() {
        return estimate_s;
    }

    long recent_s() {
        return recent_s;
    }

    double expansion() {
        return expansion;
    }

    public void updateEstimate(final Estimate by, final RunTimeHistory history) {
        estimate_s = Math.min(job.walltime_s(), history.estimate_s(by, job));
        recent_s = history.recent2_s(job);
    }

    public void age(final long now_s) {
        final double run = Math.max(10, recent_s);
        expansion = (now_s - submit_s + run) / run;
    }

    /** Its reserved start, where the policy keeps reservations; {@link #NONE} without one. */
    public long reserved_s() {
        return reserved_s;
    }

    /** Its reserved shares of nodes; empty if any node will do. */
    public List<NodeShare> reservedOn() {
        return reservedOn;
    }

    public boolean holdsReservation() {
        return reserved_s != NONE;
    }

    /** The end of its reservation, by the estimate at the time of reserving. */
    public long reservedUntil_s() {
        return reservedUntil_s;
    }

    public void reserve(final long at_s, final long until_s, final List<NodeShare> onNodes) {
        reserved_s = at_s;
        reservedUntil_s = until_s;
        reservedOn = onNodes;
    }

    public void releaseReservation() {
        reserve(NONE, NONE, List.of());
    }

    public void start(final Start reason, final long at_s, final long expectedEnd_s, final boolean isShrunk) {
        decision = isShrunk ? reason.shrunkTo(expectedEnd_s) : reason;
        running = true;
        start_s = at_s;
        end_s = expectedEnd_s;
        limitEnd_s = job.endIfStartedAt(at_s);
        shrunk = isShrunk;
    }

    /** Takes over the values of an observed run. */
    public void running(final RunningJob observed) {
        running = true;
        start_s = observed.startBasis().start_s();
        end_s = Math.min(observed.end_s(), observed.startBasis().shrunkEnd_s());
        limitEnd_s = observed.end_s();
        shrunk = observed.startBasis().preemptible();
        observedNodes = observed.nodes();
    }

    public void placeOn(final List<NodeShare> onNodes) {
        shares = onNodes;
    }

    /** Its shares of nodes; empty if they are not known. */
    public List<NodeShare> shares() {
        return shares;
    }

    /** The nodes on which it was observed to run; empty if they are not known. */
    public List<NodeName> observedNodes() {
        return observedNodes;
    }

    /** Its published plan while it waits; null if it is not known. */
    @Nullable
    public PublishedPlan published() {
        return published;
    }

    public void setPublished(final @Nullable PublishedPlan plan) {
        published = plan;
    }

    /** Whether it has started and not ended. */
    public boolean isRunning() {
        return running;
    }

    public void markEnded() {
        running = false;
    }

    /** The decision that started it; null while it waits, and for a job that the planner did not start. */
    public @Nullable Start decision() {
        return decision;
    }

    public Start startDecision() {
        return Objects.requireNonNull(decision, "the planner did not start this job");
    }

    public long start_s() {
        return start_s;
    }

    /** Its expected end; moved to a later time when the job exceeds it. */
    public long end_s() {
        return end_s;
    }

    public void end_s(final long expected_s) {
        end_s = expected_s;
    }

    /** When its walltime is over. */
    public long limitEnd_s() {
        return limitEnd_s;
    }

    /** Whether it runs on a shrunk estimate and may be preempted for the head job. */
    public boolean isPreemptible() {
        return shrunk && !beingPreempted;
    }

    public boolean isShrunk() {
        return shrunk;
    }

    public boolean isBeingPreempted() {
        return beingPreempted;
    }

    public void preempt(final long until_s) {
        beingPreempted = true;
        end_s = until_s;
    }
}
