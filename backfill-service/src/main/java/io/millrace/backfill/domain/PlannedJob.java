package io.millrace.backfill.domain;

import io.millrace.model.NodeName;
import io.millrace.model.view.NodeShare;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job as {@link BackfillPlanner} carries it from its arrival to its end; whoever told the planner of the job keeps it to name the job
 * later. A job that is cut and queued again becomes a new one.
 */
public final class PlannedJob {

    static final long NONE = -1;

    /** It was cut, and waits before those that were not. */
    static final int WAS_CUT = 1;

    /** It holds the first reservation, and keeps it. */
    static final int IS_HEAD = 2;

    /** Others are cut for its sake. */
    static final int IS_DUE = 3;

    static final Comparator<PlannedJob> BY_SUBMISSION = (one, other) -> one.submit_s != other.submit_s
            ? Long.compare(one.submit_s, other.submit_s)
            : QueuedJob.BY_SUBMISSION.compare(one.job, other.job);

    private QueuedJob job;
    private final long submit_s;
    private final int cores;
    private int precedence;
    private long estimate_s;
    private long recent_s;
    private double expansion = 1;
    private long reserved_s = NONE;
    private long reservedUntil_s = NONE;
    private long start_s = NONE;
    private long end_s = NONE;
    private long limitEnd_s = NONE;
    private boolean cuttable;
    private boolean beingCut;
    private boolean running;
    private @Nullable Start decision;
    private List<NodeShare> nodes = List.of();
    private List<NodeShare> reservedOn = List.of();
    private List<NodeName> seenOn = List.of();
    private @Nullable Told told;

    PlannedJob(final QueuedJob job, final int precedence) {
        this.job = job;
        this.submit_s = job.job().submittedAt().getEpochSecond();
        this.cores = job.cores();
        this.precedence = precedence;
    }

    public QueuedJob job() {
        return job;
    }

    /** It starts in another partition. */
    void goTo(final QueuedJob elsewhere) {
        job = elsewhere;
    }

    public int cores() {
        return cores;
    }

    /** Larger goes before every order. */
    int precedence() {
        return precedence;
    }

    /** It comes before everybody of a lower precedence from now on. @return whether that is new */
    boolean rise(final int to) {
        final boolean higher = to > precedence;
        precedence = Math.max(precedence, to);
        return higher;
    }

    boolean isDue() {
        return precedence == IS_DUE;
    }

    /** How long it is foreseen to run. */
    long estimate_s() {
        return estimate_s;
    }

    long recent_s() {
        return recent_s;
    }

    double expansion() {
        return expansion;
    }

    void foresee(final Estimate by, final RunTimes history) {
        estimate_s = Math.min(job.walltime_s(), history.estimate_s(by, job));
        recent_s = history.recent2_s(job);
    }

    void age(final long now_s) {
        final double run = Math.max(10, recent_s);
        expansion = (now_s - submit_s + run) / run;
    }

    /** When it is to start, for a job with a reservation that lasts; {@link #NONE} without. */
    long reserved_s() {
        return reserved_s;
    }

    /** What it is to have on nodes then; none named if any will do. */
    List<NodeShare> reservedOn() {
        return reservedOn;
    }

    boolean holdsReservation() {
        return reserved_s != NONE;
    }

    /** Until when its room is kept: as long as it was foreseen to run when it was reserved. */
    long reservedUntil_s() {
        return reservedUntil_s;
    }

    void reserve(final long at_s, final long until_s, final List<NodeShare> on) {
        reserved_s = at_s;
        reservedUntil_s = until_s;
        reservedOn = on;
    }

    void giveUpReservation() {
        reserve(NONE, NONE, List.of());
    }

    void start(final Start how, final long at_s, final long foreseenEnd_s, final boolean mayBeCut) {
        decision = mayBeCut ? how.shrunkTo(foreseenEnd_s) : how;
        running = true;
        start_s = at_s;
        end_s = foreseenEnd_s;
        limitEnd_s = job.endIfStartedAt(at_s);
        cuttable = mayBeCut;
    }

    void running(final RunningJob seen) {
        running = true;
        start_s = seen.how().start_s();
        end_s = Math.min(seen.end_s(), seen.how().shrunkEnd_s());
        limitEnd_s = seen.end_s();
        cuttable = seen.how().cuttable();
        seenOn = seen.nodes();
    }

    void on(final List<NodeShare> where) {
        nodes = where;
    }

    /** What it has on each node; empty if that is not known. */
    List<NodeShare> nodes() {
        return nodes;
    }

    /** Where it was seen to run; empty if that is not known. */
    List<NodeName> seenOn() {
        return seenOn;
    }

    /** What stands on the log for it while it waits; null if that is not known. */
    @Nullable
    Told told() {
        return told;
    }

    void tell(final @Nullable Told what) {
        told = what;
    }

    /** Whether it has started and has not left yet. */
    public boolean isOnItsCores() {
        return running;
    }

    void left() {
        running = false;
    }

    /** Why it was started; null while it waits, and for a job that ran when the planner first heard of it. */
    public @Nullable Start decision() {
        return decision;
    }

    Start decided() {
        return Objects.requireNonNull(decision, "it was started by a decision");
    }

    public long start_s() {
        return start_s;
    }

    /** When it is foreseen to end; a wrong foresight is corrected as time passes it. */
    public long end_s() {
        return end_s;
    }

    void end_s(final long other) {
        end_s = other;
    }

    /** When its walltime is over. */
    public long limitEnd_s() {
        return limitEnd_s;
    }

    /** Whether it runs on a shrunk estimate and may be cut for the head job. */
    public boolean isCuttable() {
        return cuttable && !beingCut;
    }

    boolean isShrunk() {
        return cuttable;
    }

    boolean isBeingCut() {
        return beingCut;
    }

    void cut(final long until_s) {
        beingCut = true;
        end_s = until_s;
    }
}
