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
 * @param end_s when it will have ended at the latest; {@link ShadowTime#NEVER} if nothing bounds it
 * @param nodes where it runs; empty if not known
 * @param how by what decision it runs: what was started on a shrunk estimate may be cut for the head job
 * @param traits what is known of it
 * @param placement what it asked of its nodes
 */
public record RunningJob(
        JobKey job,
        Resources resources,
        PartitionName partition,
        long end_s,
        List<NodeName> nodes,
        How how,
        Traits traits,
        Placement placement)
        implements Role {

    /** A job past its limit is about to be ended: it counts as ending in so many seconds. */
    static final long OVERDUE_S = 1;

    /**
     * By what decision a job runs.
     *
     * @param start_s since when; meant only for jobs that may be cut
     * @param shrunkEnd_s the end that its shrunk estimate foresaw; {@link ShadowTime#NEVER} if it was not shrunk
     * @param cuttable whether it may be cut when the head job is due
     */
    public record How(long start_s, long shrunkEnd_s, boolean cuttable) {
        public static final How WHOLE = new How(0, ShadowTime.NEVER, false);
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
        this(job, resources, partition, end_s, nodes, How.WHOLE, Traits.UNKNOWN, Placement.ANYWHERE);
    }

    public int cores() {
        return resources.cores();
    }

    public RunningJob started(final How by, final Traits known) {
        return new RunningJob(job, resources, partition, end_s, nodes, by, known, placement);
    }

    public RunningJob at(final Placement other) {
        return new RunningJob(job, resources, partition, end_s, nodes, how, traits, other);
    }

    long endSeenFrom(final long now_s) {
        return Math.max(end_s, now_s + OVERDUE_S);
    }
}
