package io.millrace.migration.domain.placement;

import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.job.PlacedJobs;
import io.millrace.model.ClusterId;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Submitted;
import java.util.HashMap;
import java.util.Map;

/**
 * The idle capacity of each cluster that is not promised yet: that of its assumed state minus the attempts that are on their way there or
 * wait in its queue, and the jobs that move there. An attempt that needs more than what is left does not reduce it.
 *
 * <p>It is kept from round to round; only the clusters that changed are computed again.
 */
final class UnpromisedCapacity {

    private record Known(long change, IdleCapacity idle) {}

    private final PlacedJobs placed;
    private final Map<ClusterId, Known> known = new HashMap<>();

    UnpromisedCapacity(final PlacedJobs placed) {
        this.placed = placed;
    }

    IdleCapacity of(final TargetCluster cluster) {
        final long change = cluster.changes() + placed.changes(cluster.id());
        final Known before = known.get(cluster.id());
        if (before != null && before.change == change) {
            return before.idle;
        }
        final IdleCapacity idle = IdleCapacity.of(cluster);
        placed.on(cluster.id()).stream()
                .filter(job -> isStillToStart(job, cluster))
                .forEach(job -> take(job, idle));
        placed.towards(cluster.id()).forEach(job -> idle.promise(job.submission()));
        known.put(cluster.id(), new Known(change, idle));
        return idle;
    }

    /** The files of a submitted job are there already. */
    private static void take(final GlobalJob job, final IdleCapacity idle) {
        if (job.state() instanceof Submitted) {
            idle.take(job.submission());
        } else {
            idle.promise(job.submission());
        }
    }

    private static boolean isStillToStart(final GlobalJob job, final TargetCluster cluster) {
        return job.hold() == null && !cluster.hasStarted(job);
    }
}
