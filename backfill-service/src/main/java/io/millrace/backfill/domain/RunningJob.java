package io.millrace.backfill.domain;

import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Placement;
import java.util.List;

/**
 * A job that occupies cores.
 *
 * @param end_s its latest end; {@link ShadowTime#NEVER} if it has no limit
 * @param nodes on which it runs; empty if not known
 * @param startBasis whether it was started on a shrunk estimate and may be preempted
 * @param placement constraints on nodes and licences
 */
public record RunningJob(
        JobKey job,
        Resources resources,
        PartitionName partition,
        long end_s,
        List<NodeName> nodes,
        StartBasis startBasis,
        JobAttributes attributes,
        Placement placement)
        implements JobRole {

    /** A job that has exceeded its limit is about to be ended: it counts as ending in this many seconds. */
    public static final long OVERDUE_S = 1;

    /**
     * How a job was started.
     *
     * @param start_s its start; used only for jobs with an expected end before their limit
     * @param shrunkEnd_s the end that its estimate predicts; {@link ShadowTime#NEVER} if only its limit is known
     * @param preemptible whether it may be preempted when the head job's reservation is due
     */
    public record StartBasis(long start_s, long shrunkEnd_s, boolean preemptible) {
        public static final StartBasis NOT_SHRUNK = new StartBasis(0, ShadowTime.NEVER, false);
    }

    public RunningJob {
        nodes = List.copyOf(nodes);
    }

    public RunningJob(
            final JobKey job,
            final Resources resources,
            final PartitionName partition,
            final long end_s,
            final List<NodeName> nodes) {
        this(job, resources, partition, end_s, nodes, StartBasis.NOT_SHRUNK, JobAttributes.UNKNOWN, Placement.ANYWHERE);
    }

    /** Its expected end, which is before its latest end if it runs on an estimate. */
    public long expectedEnd_s() {
        return Math.min(end_s, startBasis.shrunkEnd_s());
    }

    public int cores() {
        return resources.cores();
    }

    public RunningJob startedOn(final StartBasis by, final JobAttributes known) {
        return new RunningJob(job, resources, partition, end_s, nodes, by, known, placement);
    }

    public RunningJob withPlacement(final Placement other) {
        return new RunningJob(job, resources, partition, end_s, nodes, startBasis, attributes, other);
    }

    public long endSeenFrom(final long now_s) {
        return Math.max(end_s, now_s + OVERDUE_S);
    }
}
