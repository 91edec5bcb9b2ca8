package io.millrace.simulator;

import io.millrace.backfill.domain.job.JobAttributes;
import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.simulator.swf.SwfJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A job of the trace on its way through a virtual cluster: waiting, running (in one or several segments), ended. */
public final class SimulatedJob {

    private static final PartitionName PARTITION = PartitionName.of("all");

    private final SwfJob job;
    private final boolean checkpointable;
    private final long run_s;
    private QueuedJob queued;
    private List<Segment> segments = List.of();
    private long firstStart_s = -1;
    private long segmentStart_s = -1;
    private int starts;
    private boolean running;
    private boolean backfilled;
    private boolean beingCut;
    private long restart_s;
    private long done_s;
    private long promised_s = Long.MAX_VALUE;
    private long lost;
    private int checkpoints;

    SimulatedJob(final SwfJob job, final ClusterId cluster, final boolean checkpointable) {
        this.job = job;
        this.checkpointable = checkpointable;
        // Whoever runs past the limit is ended at it.
        this.run_s = Math.min(job.run_s(), job.requested_s());
        final JobKey key =
                new JobKey(new JobId(cluster, Long.toString(job.id())), Instant.ofEpochSecond(job.submit_s()));
        this.queued = QueuedJob.of(
                        key, Resources.cores(job.cores()), PARTITION, Duration.ofSeconds(job.requested_s()), 0, false)
                .withAttributes(JobAttributes.of(Long.toString(job.user()), job.likeness(), checkpointable)
                        .withActual(run_s));
    }

    /** As its cluster's scheduler sees it while it waits. */
    public QueuedJob queued() {
        return queued;
    }

    void start(final long at_s, final boolean isBackfilled) {
        if (running) {
            throw new IllegalStateException("job " + id() + " starts a second time at " + at_s);
        }
        if (starts == 0) {
            firstStart_s = at_s;
            backfilled = isBackfilled;
        }
        running = true;
        starts++;
        segmentStart_s = at_s;
    }

    /** Which of its runs this is; an event about an earlier one is void. */
    int starts() {
        return starts;
    }

    boolean isRunning() {
        return running;
    }

    /** When this run would come to the job's own end. */
    long ownEnd_s() {
        return segmentStart_s + restart_s + run_s - done_s;
    }

    void end(final long at_s) {
        final Segment.Kind kind = done_s > 0
                ? Segment.Kind.RESTARTED
                : backfilled && starts == 1
                        ? Segment.Kind.BACKFILLED
                        : promised_s < Long.MAX_VALUE ? Segment.Kind.RESERVED : Segment.Kind.RUN;
        close(at_s, kind, run_s - done_s);
        lost += restart_s * cores();
        done_s = run_s;
    }

    /** Its state is saved as it was at that time; until the checkpoint is written it stays on its cores. */
    void cut() {
        beingCut = true;
    }

    boolean isBeingCut() {
        return beingCut;
    }

    /**
     * It has left its cores, cut, and waits again.
     *
     * @param savedAt_s when its state was taken; what it did until then is kept if {@code keeps}
     * @param nextRestart_s what it will cost to go on
     */
    void cutOff(final long at_s, final long savedAt_s, final boolean keeps, final long nextRestart_s) {
        final long worked = Math.clamp(savedAt_s - segmentStart_s - restart_s, 0, run_s - done_s);
        beingCut = false;
        final boolean useful = keeps && worked > 0;
        close(at_s, useful ? Segment.Kind.CHECKPOINTED : Segment.Kind.LOST, useful ? worked : 0);
        lost += (at_s - segmentStart_s - (useful ? worked : 0)) * cores();
        if (useful) {
            done_s += worked;
            checkpoints++;
        }
        restart_s = done_s > 0 ? nextRestart_s : 0;
        // What remains of its walltime, and the cost of the restart.
        queued = queued.withWalltime(job.requested_s() - done_s + restart_s)
                .withAttributes(queued.attributes().preempted(done_s).withActual(run_s + restart_s));
    }

    /** The node under it failed: what it did since this start is lost. */
    void fail(final long at_s) {
        beingCut = false;
        close(at_s, Segment.Kind.LOST, 0);
        lost += (at_s - segmentStart_s) * cores();
    }

    private void close(final long at_s, final Segment.Kind kind, final long work_s) {
        if (segments.isEmpty()) {
            segments = new ArrayList<>(1);
        }
        segments.add(new Segment(segmentStart_s, at_s, kind, work_s));
        running = false;
    }

    /** Its cores are promised to it for that time at the latest. */
    void promise(final long at_s) {
        promised_s = Math.min(promised_s, at_s);
    }

    public boolean heldReservation() {
        return promised_s < Long.MAX_VALUE;
    }

    /** Seconds by which it first started after the earliest time that it had been promised; 0 if it never held a reservation. */
    public long late_s() {
        return heldReservation() ? Math.max(0, firstStart_s - promised_s) : 0;
    }

    public long id() {
        return job.id();
    }

    public long user() {
        return job.user();
    }

    public long submit_s() {
        return job.submit_s();
    }

    /** Its first start. */
    public long start_s() {
        return firstStart_s;
    }

    public long end_s() {
        return segments.isEmpty() ? segmentStart_s : segments.getLast().end_s();
    }

    public int cores() {
        return job.cores();
    }

    public long requested_s() {
        return job.requested_s();
    }

    /** Seconds of work that it needs. */
    public long run_s() {
        return run_s;
    }

    /** All time from its submission to its end in which it did not get ahead: waiting, also between runs, checkpoints, restarts, lost work. */
    public long wait_s() {
        return end_s() - job.submit_s() - run_s;
    }

    public boolean backfilled() {
        return backfilled;
    }

    public boolean checkpointable() {
        return checkpointable;
    }

    /** How often it was taken off its cores. */
    public int preemptions() {
        return Math.max(0, starts - 1);
    }

    /** How often with its work kept. */
    public int checkpoints() {
        return checkpoints;
    }

    /** Core-seconds that brought nothing: lost work, checkpoints, restarts. */
    public long lostCoreSeconds() {
        return lost;
    }

    public List<Segment> segments() {
        return segments;
    }
}
