package io.millrace.migration.domain.view;

import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.job.PlacedJobs;
import io.millrace.migration.domain.job.RequestShape;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Submitted;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The idle capacity of each cluster that is not promised yet: that of its assumed state minus the attempts that are on their way there or
 * wait in its queue, and the jobs that move there. An attempt that needs more than what is left does not reduce it.
 */
public final class UnpromisedCapacity {

    private final PlacedJobs placed;
    private final Map<ClusterId, IdleCapacity> known = new HashMap<>();
    /** How often something was promised in this pass. */
    private final Map<ClusterId, Integer> promises = new HashMap<>();

    private int all;

    public UnpromisedCapacity(final PlacedJobs placed) {
        this.placed = placed;
    }

    /** @param cluster has a revision */
    public IdleCapacity of(final TargetCluster cluster) {
        final IdleCapacity before = known.get(cluster.id());
        return before == null ? read(cluster) : before;
    }

    private IdleCapacity read(final TargetCluster cluster) {
        final IdleCapacity idle = IdleCapacity.of(cluster);
        placed.on(cluster.id()).stream()
                .filter(job -> isStillToStart(job, cluster))
                .forEach(job -> take(job, idle));
        placed.towards(cluster.id()).forEach(job -> idle.promise(shape(job), null));
        known.put(cluster.id(), idle);
        return idle;
    }

    public void promise(final GlobalJob job, final TargetCluster cluster) {
        of(cluster).promise(shape(job), partition(job, cluster));
        promises.merge(cluster.id(), 1, Integer::sum);
        all++;
    }

    /** The partition of the cluster in which the job is submitted; null: the default one. */
    public @Nullable PartitionName partition(final GlobalJob job, final TargetCluster cluster) {
        return of(cluster).partition(shape(job), job.submission().owner());
    }

    private static @Nullable PartitionName chosen(final GlobalJob placed) {
        final Attempt attempt = placed.attempt();
        return attempt == null ? null : attempt.partition();
    }

    /** How often something was promised on any cluster in this pass. */
    public int promises() {
        return all;
    }

    public int promises(final ClusterId cluster) {
        return promises.getOrDefault(cluster, 0);
    }

    private static RequestShape shape(final GlobalJob job) {
        return RequestShape.of(job.submission(), null);
    }

    /** The files of a submitted job are there already. */
    private static void take(final GlobalJob job, final IdleCapacity idle) {
        if (job.state() instanceof Submitted) {
            idle.take(shape(job), chosen(job));
        } else {
            idle.promise(shape(job), chosen(job));
        }
    }

    private static boolean isStillToStart(final GlobalJob job, final TargetCluster cluster) {
        return job.hold() == null && !cluster.hasStarted(job);
    }
}
