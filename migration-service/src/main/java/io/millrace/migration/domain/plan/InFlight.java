package io.millrace.migration.domain.plan;

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

/** The limits of jobs in flight. What a pass places counts at once. */
final class InFlight {

    private final InFlightLimits limits;
    private final PlacedJobs placed;
    private final Map<Object, Integer> promised = new HashMap<>();

    InFlight(final InFlightLimits limits, final PlacedJobs placed) {
        this.limits = limits;
        this.placed = placed;
    }

    void promise(final GlobalJob job, final ClusterId target) {
        if (limits.areSet()) {
            promised.merge(job.submission().owner(), 1, Integer::sum);
            promised.merge(target, 1, Integer::sum);
            promised.merge(new PlacedJobs.Link(job.submission().source(), target), 1, Integer::sum);
        }
    }

    /** Whether no more jobs of its owner are placed. */
    boolean isOwnerAtLimit(final GlobalJob job) {
        final UserName owner = job.submission().owner();
        return limits.perUser() != null && isReached(limits.perUser(), placed.inFlight(owner), owner);
    }

    /** The limit that keeps jobs of an owner from being placed on a cluster; empty if there is none. */
    Optional<Veto> ofOwner(final UserName owner, final ClusterId target) {
        return isReached(limits.perUser(), placed.inFlight(owner), owner)
                ? Optional.of(VetoCode.USER_LIMIT.veto(
                        target + ": " + limits.perUser() + " global jobs of user '" + owner + "' are on clusters"))
                : Optional.empty();
    }

    /** The limit that keeps jobs of one cluster from being placed on another; empty if there is none. */
    Optional<Veto> ofLink(final ClusterId source, final ClusterId target) {
        if (!limits.areSet()) {
            return Optional.empty();
        }
        if (isReached(limits.perCluster(), placed.inFlight(target), target)) {
            return Optional.of(VetoCode.CLUSTER_LIMIT.veto(
                    target + ": has " + limits.perCluster() + " global jobs, the limit of the site"));
        }
        final PlacedJobs.Link link = new PlacedJobs.Link(source, target);
        if (!link.isLocal() && isReached(limits.perLink(), placed.inFlight(link), link)) {
            return Optional.of(VetoCode.LINK_LIMIT.veto(target + ": has " + limits.perLink() + " global jobs from "
                    + link.source() + ", the limit of the site"));
        }
        return Optional.empty();
    }

    private boolean isReached(final @Nullable Integer limit, final int inFlight, final Object counted) {
        return limit != null && inFlight + promised.getOrDefault(counted, 0) >= limit;
    }
}
