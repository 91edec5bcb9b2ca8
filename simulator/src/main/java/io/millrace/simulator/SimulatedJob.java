package io.millrace.simulator;

import io.millrace.backfill.domain.JobAttributes;
import io.millrace.backfill.domain.QueuedJob;
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

/** A job of the trace on a virtual cluster: waiting, running in one or more segments, ended. */
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
    private boolean beingPreempted;
    private long restart_s;
    private long done_s;
    private long reserved_s = Long.MAX_VALUE;
    private long lost;
    private int checkpoints;

    SimulatedJob(final SwfJob job, final ClusterId cluster, final boolean checkpointable) {
        this.job = job;
        this.checkpointable = checkpointable;
        // A job is ended at its limit.
        this.run_s = Math.min(job.run_s(), job.requested_s());
        this.queued = queued(cluster, job.submit_s());
    }

    private QueuedJob queued(final ClusterId cluster, final long at_s) {
        final JobKey key = new JobKey(new JobId(cluster, Long.toString(job.id())), Instant.ofEpochSecond(at_s));
        return QueuedJob.of(
                        key, Resources.cores(job.cores()), PARTITION, Duration.ofSeconds(job.requested_s()), 0, false)
                .withAttributes(JobAttributes.of(Long.toString(job.user()), job.likeness(), checkpointable)
                        .withActual(run_s));
    }

    /** A broker submits it to a cluster, where it is the newest job. */
    void enter(final ClusterId cluster, final long at_s) {
        queued = queued(cluster, at_s);
    }

    /** The job as its scheduler sees it while it waits. */
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

    /** The number of the current run; events of earlier runs are ignored. */
    int starts() {
        return starts;
    }

    boolean isRunning() {
        return running;
    }

    /** When the job would end in this run. */
    long ownEnd_s() {
        return segmentStart_s + restart_s + run_s - done_s;
    }

    void end(final long at_s) {
        final Segment.Kind kind = done_s > 0
                ? Segment.Kind.RESTARTED
                : backfilled && starts == 1
                        ? Segment.Kind.BACKFILLED
                        : reserved_s < Long.MAX_VALUE ? Segment.Kind.RESERVED : Segment.Kind.RUN;
        close(at_s, kind, run_s - done_s);
        lost += restart_s * cores();
        done_s = run_s;
    }

    /** Begins a checkpoint; the job occupies its cores until it is written. */
    void beginPreemption() {
        beingPreempted = true;
    }

    boolean isBeingPreempted() {
        return beingPreempted;
    }

    /**
     * The job was preempted and waits again.
     *
     * @param savedAt_s the time of its checkpoint; work until then is kept if {@code keeps}
     * @param nextRestart_s cost of its restart in seconds
     */
    void preempted(final long at_s, final long savedAt_s, final boolean keeps, final long nextRestart_s) {
        final long worked = Math.clamp(savedAt_s - segmentStart_s - restart_s, 0, run_s - done_s);
        beingPreempted = false;
        final boolean useful = keeps && worked > 0;
        close(at_s, useful ? Segment.Kind.CHECKPOINTED : Segment.Kind.LOST, useful ? worked : 0);
        lost += (at_s - segmentStart_s - (useful ? worked : 0)) * cores();
        if (useful) {
            done_s += worked;
            checkpoints++;
        }
        restart_s = done_s > 0 ? nextRestart_s : 0;
        // The remaining walltime plus the cost of the restart.
        queued = queued.withWalltime(job.requested_s() - done_s + restart_s)
                .withAttributes(queued.attributes().preempted(done_s).withActual(run_s + restart_s));
    }

    /** Its node failed: the work since this start is lost. */
    void fail(final long at_s) {
        beingPreempted = false;
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

    /** Records a reservation for this time. */
    void reserve(final long at_s) {
        reserved_s = Math.min(reserved_s, at_s);
    }

    public boolean heldReservation() {
        return reserved_s < Long.MAX_VALUE;
    }

    /** Delay of its first start after its earliest reservation, in seconds; 0 if it never held a reservation. */
    public long late_s() {
        return heldReservation() ? Math.max(0, firstStart_s - reserved_s) : 0;
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

    /** All time from submission to end without progress: waiting, checkpoints, restarts and lost work. */
    public long wait_s() {
        return end_s() - job.submit_s() - run_s;
    }

    public boolean backfilled() {
        return backfilled;
    }

    public boolean checkpointable() {
        return checkpointable;
    }

    /** How often it was preempted. */
    public int preemptions() {
        return Math.max(0, starts - 1);
    }

    /** How often it was preempted with a checkpoint. */
    public int checkpoints() {
        return checkpoints;
    }

    /** Core-seconds without progress: lost work, checkpoints, restarts. */
    public long lostCoreSeconds() {
        return lost;
    }

    public List<Segment> segments() {
        return segments;
    }
}
