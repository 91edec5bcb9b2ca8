package io.millrace.agent.domain;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.ReserveVictim;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * the jobs of a reclaim's reserve that are preempted. They were waiting when the reclaim was decided and have started since on idle
 * cores that its beneficiary needs. Only as many as necessary are taken, and none that its owner's quota protects.
 */
public final class ReserveVictims {

    private final LiveCluster live;
    private final List<JobObserved> taken = new ArrayList<>();
    /** The jobs that are preempted. */
    private final Set<JobKey> victims;

    private int missing;

    private ReserveVictims(final Action.Reclaim reclaim, final LiveCluster live, final int claimed) {
        this.live = live;
        this.victims = new HashSet<>(reclaim.victims());
        this.missing = ReclaimClaim.neededCores(reclaim, live)
                - ReclaimClaim.victimsCores(reclaim, live)
                - Math.max(0, live.idleCores() - claimed);
    }

    /**
     * The reclaim as it is executed now: with the jobs of its reserve that must be preempted as victims, and without a reserve.
     *
     * @param claimed idle cores that belong to the beneficiaries of running reclaims
     */
    public static Action.Reclaim resolve(final Action.Reclaim reclaim, final LiveCluster live, final int claimed) {
        if (reclaim.allReserve().isEmpty()) {
            return reclaim;
        }
        final ReserveVictims reserve = new ReserveVictims(reclaim, live, claimed);
        reclaim.allReserve().forEach(reserve::takeIfNeeded);
        return reclaim.taking(reserve.needed());
    }

    private void takeIfNeeded(final ReserveVictim reserved) {
        final JobObserved job = live.job(reserved.job());
        if (missing > 0 && job != null && isPreemptible(job, reserved.ownerQuota())) {
            taken.add(job);
            victims.add(job.job());
            missing -= job.resources().cores();
        }
    }

    private boolean isPreemptible(final JobObserved job, final int ownerQuota) {
        return job.state() instanceof JobState.Running
                && !job.detail().interactive()
                && (job.resources().cores() > ownerQuota || othersUse(job, ownerQuota) >= ownerQuota);
    }

    /** Cores of the owner's other running jobs that count towards the quota and are not preempted. */
    private int othersUse(final JobObserved job, final int ownerQuota) {
        return live.jobs().values().stream()
                .filter(other -> other.owner().equals(job.owner()) && other.state() instanceof JobState.Running)
                .filter(other -> !other.job().equals(job.job()) && !victims.contains(other.job()))
                .filter(other -> other.resources().cores() <= ownerQuota)
                .mapToInt(other -> other.tasks() * other.resources().cores())
                .sum();
    }

    /** Without those that the ones taken later made unnecessary. */
    private List<JobKey> needed() {
        final List<JobKey> needed = new ArrayList<>();
        for (final JobObserved job : taken) {
            if (missing + job.resources().cores() <= 0) {
                missing += job.resources().cores();
            } else {
                needed.add(job.job());
            }
        }
        return needed;
    }
}
