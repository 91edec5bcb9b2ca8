package io.millrace.quota.domain.reclaim;

import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.quota.domain.preemption.Victim;
import io.millrace.quota.domain.view.QuotaView;
import io.millrace.quota.domain.view.UnplacedJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * the cost of a reclaim on this cluster for global jobs that are not yet placed and within quota here, after the cluster's own
 * waiting jobs were planned.
 */
public final class PlacementOffers {

    /** Only the oldest jobs get offers, because an offer is soon stale. */
    private static final int AT_ONCE = 100;

    private static final PartitionName ANY = PartitionName.of("any");

    private final QuotaView view;
    private final ReclaimPlanner reclaims;

    public PlacementOffers(final QuotaView view, final ReclaimPlanner reclaims) {
        this.view = view;
        this.reclaims = reclaims;
    }

    /** @param unplaced oldest first */
    public List<PlacementOffered> forAll(final Collection<UnplacedJob> unplaced) {
        final List<PlacementOffered> offers = new ArrayList<>();
        unplaced.stream().limit(AT_ONCE).forEach(job -> {
            final JobObserved here = asIfHere(job);
            final List<Victim> victims = reclaims.victimsFor(here);
            if (!victims.isEmpty()) {
                offers.add(offer(job, here, victims));
            }
        });
        return offers;
    }

    private PlacementOffered offer(final UnplacedJob job, final JobObserved here, final List<Victim> victims) {
        final long lost_core_s = victims.stream()
                .mapToLong(victim -> victim.preemption().lostCoreSeconds())
                .sum();
        return new PlacementOffered(
                view.observed().cluster(),
                job.job(),
                victims.size(),
                lost_core_s,
                job.owner() + " is within quota " + reclaims.quotaText(here) + ": " + victims.size()
                        + " job(s) would be preempted and lose " + lost_core_s + " core-seconds");
    }

    /** The delay of Q-13 begins when the job waits on the cluster. */
    private JobObserved asIfHere(final UnplacedJob job) {
        return new JobObserved(
                new JobKey(new JobId(view.observed().cluster(), job.job().value()), job.submittedAt()),
                job.name(),
                job.owner(),
                job.project(),
                ANY,
                new JobState.Held(HoldKind.ENTRY),
                null,
                job.resources(),
                job.walltime(),
                Eligibility.since(Instant.EPOCH),
                null,
                0,
                0,
                job.checkpoint(),
                JobDetail.NONE);
    }
}
