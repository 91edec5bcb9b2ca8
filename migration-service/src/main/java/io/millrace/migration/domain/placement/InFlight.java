package io.millrace.migration.domain.placement;

import io.millrace.migration.domain.InFlightLimits;
import io.millrace.migration.domain.job.PlacedJobs;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.job.GlobalJob;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The limits of jobs in flight. What a round places counts at once. */
final class InFlight {

    private final InFlightLimits limits;
    private final PlacedJobs placed;
    private final Map<Object, Integer> promised = new HashMap<>();

    InFlight(final InFlightLimits limits, final PlacedJobs placed) {
        this.limits = limits;
        this.placed = placed;
    }

    /** The placements of the last round are in the log now. */
    void beginRound() {
        promised.clear();
    }

    void promise(final GlobalJob job, final ClusterId target) {
        if (limits.areSet()) {
            promised.merge(job.submission().owner(), 1, Integer::sum);
            promised.merge(target, 1, Integer::sum);
            promised.merge(new PlacedJobs.Link(job.submission().source(), target), 1, Integer::sum);
        }
    }

    /** The limit that keeps a job from being placed on a cluster; empty if there is none. */
    Optional<Veto> veto(final GlobalJob job, final ClusterId target) {
        if (!limits.areSet()) {
            return Optional.empty();
        }
        final UserName owner = job.submission().owner();
        if (isLimited(owner)) {
            return Optional.of(VetoCode.USER_LIMIT.veto(
                    target + ": " + limits.perUser() + " global jobs of user '" + owner + "' are on clusters"));
        }
        if (isReached(limits.perCluster(), placed.inFlight(target), target)) {
            return Optional.of(VetoCode.CLUSTER_LIMIT.veto(
                    target + ": has " + limits.perCluster() + " global jobs, the limit of the site"));
        }
        final PlacedJobs.Link link = new PlacedJobs.Link(job.submission().source(), target);
        if (!link.isLocal() && isReached(limits.perLink(), placed.inFlight(link), link)) {
            return Optional.of(VetoCode.LINK_LIMIT.veto(target + ": has " + limits.perLink() + " global jobs from "
                    + link.source() + ", the limit of the site"));
        }
        return Optional.empty();
    }

    private boolean isLimited(final UserName owner) {
        return isReached(limits.perUser(), placed.inFlight(owner), owner);
    }

    private boolean isReached(final @Nullable Integer limit, final int inFlight, final Object counted) {
        return limit != null && inFlight + promised.getOrDefault(counted, 0) >= limit;
    }
}
