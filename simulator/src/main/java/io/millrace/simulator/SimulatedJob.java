package io.millrace.simulator;

import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.simulator.swf.SwfJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A job of the trace on its way through the virtual cluster. */
public final class SimulatedJob {

    private static final ClusterId CLUSTER = ClusterId.of("virtual");
    private static final PartitionName PARTITION = PartitionName.of("all");

    private final SwfJob job;
    private final QueuedJob queued;
    private final long run_s;
    private long start_s = -1;
    private boolean backfilled;

    SimulatedJob(final SwfJob job) {
        this.job = job;
        // Whoever runs past the limit is ended at it.
        this.run_s = Math.min(job.run_s(), job.requested_s());
        final JobKey key =
                new JobKey(new JobId(CLUSTER, Long.toString(job.id())), Instant.ofEpochSecond(job.submit_s()));
        this.queued = QueuedJob.of(
                key, Resources.cores(job.cores()), PARTITION, Duration.ofSeconds(job.requested_s()), 0, false);
    }

    QueuedJob queued() {
        return queued;
    }

    RunningJob running() {
        return new RunningJob(queued.job(), queued.resources(), PARTITION, latestEnd_s(), List.of());
    }

    void start(final long at_s, final boolean isBackfilled) {
        if (start_s >= 0) {
            throw new IllegalStateException("job " + id() + " starts a second time at " + at_s);
        }
        start_s = at_s;
        backfilled = isBackfilled;
    }

    public long id() {
        return job.id();
    }

    public long submit_s() {
        return job.submit_s();
    }

    public long start_s() {
        return start_s;
    }

    public long end_s() {
        return start_s + run_s;
    }

    /** When it would end if it used all the time it asked for. */
    long latestEnd_s() {
        return start_s + job.requested_s();
    }

    public int cores() {
        return job.cores();
    }

    public long requested_s() {
        return job.requested_s();
    }

    public long run_s() {
        return run_s;
    }

    public long wait_s() {
        return start_s - job.submit_s();
    }

    public boolean backfilled() {
        return backfilled;
    }
}
