package io.millrace.model.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;

/**
 * The cost of placing a waiting global job on this cluster by preemption. An offer, not a promise.
 *
 * @param victims number of jobs that would be preempted
 * @param lostCoreSeconds core-seconds of their work that would be lost
 * @param reason the entitlement, with the figures
 */
public record PlacementOffered(ClusterId cluster, GlobalJobId job, int victims, long lostCoreSeconds, String reason)
        implements PlanEvent {

    /** A cost that has changed by less is not published again. */
    private static final int TOLERANCE_PERCENT = 20;

    @Override
    public String key() {
        return new PlanKey.Offer(cluster, job).toString();
    }

    /** Whether this still serves for {@code other}: the work that is lost grows with every second. */
    public boolean isAsGoodAs(final PlacementOffered other) {
        return victims == other.victims
                && Math.abs(lostCoreSeconds - other.lostCoreSeconds) * 100 <= other.lostCoreSeconds * TOLERANCE_PERCENT;
    }
}
