package io.millrace.backfill.domain;

import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import java.util.List;

/**
 * A job that occupies cores.
 *
 * @param end_s when it will have ended at the latest; {@link ShadowTime#NEVER} if nothing bounds it
 * @param nodes where it runs; empty if not known
 */
public record RunningJob(JobKey job, Resources resources, PartitionName partition, long end_s, List<NodeName> nodes) {

    /** A job past its limit is about to be ended: it counts as ending in so many seconds. */
    private static final long OVERDUE_S = 1;

    public RunningJob {
        nodes = List.copyOf(nodes);
    }

    public int cores() {
        return resources.cores();
    }

    long endSeenFrom(final long now_s) {
        return Math.max(end_s, now_s + OVERDUE_S);
    }
}
