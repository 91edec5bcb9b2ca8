package io.millrace.quota.domain.reclaim;

import io.millrace.decide.Enforcement;
import io.millrace.decide.PlacementRequest;
import io.millrace.decide.RetryPolicy.Pause;
import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Result;
import io.millrace.quota.domain.preemption.ReclaimDelay.WaitingJob;
import io.millrace.quota.domain.view.CommandFactory;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.domain.view.QuotaView;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why no reclaim is possible for a job within quota, and when this can change without a new event. */
final class ReclaimVetoes {

    private static final Duration HOUR = Duration.ofHours(1);

    private final QuotaView view;
    private final QuotaPolicy policy;
    private final Instant now;
    private final RevisionClosed marker;
    private final Map<JobKey, Veto> vetoes = new LinkedHashMap<>();
    private @Nullable Instant wakeAt;

    ReclaimVetoes(final QuotaView view, final QuotaPolicy policy, final Instant now) {
        this.view = view;
        this.policy = policy;
        this.now = now;
        this.marker = view.assumed().marker();
    }

    /**
     * Records a veto that applies before a search for victims.
     *
     * @param idle idle cores that are not reserved
     * @param freeable preemptible cores of all other owners
     * @param decided reclaims already in this plan
     * @return whether there is a veto
     */
    boolean forbid(final JobObserved job, final int idle, final int freeable, final int decided) {
        final Optional<Veto> veto = cluster()
                .or(() -> tooFew(job, idle, freeable))
                .or(() -> tooSoon(job))
                .or(() -> tooMany(decided))
                .or(() -> cannotStart(job))
                .or(() -> backOff(job));
        veto.ifPresent(why -> vetoes.put(job.job(), why));
        return veto.isPresent();
    }

    /** Records a veto after a search for victims. */
    void veto(final JobObserved job, final Veto why) {
        vetoes.put(job.job(), why);
    }

    private Optional<Veto> tooFew(final JobObserved job, final int idle, final int freeable) {
        final int needed = job.resources().cores();
        if (needed > marker.total().cores()) {
            return Optional.of(VetoCode.NOT_ENOUGH_CORES_UP.veto(
                    "needs " + needed + " cores, " + marker.total().cores() + " are up on " + marker.cluster()));
        }
        final long inAll = (policy.rules().idleCounts() ? idle : 0L) + freeable;
        return policy.rules().isSufficient(inAll, needed)
                ? Optional.empty()
                : Optional.of(cannotSuffice(needed, idle, freeable));
    }

    static Veto cannotSuffice(final int needed, final int idle, final int freeable) {
        return VetoCode.PREEMPTION_INSUFFICIENT.veto("needs " + needed + " cores; " + idle + " idle + " + freeable
                + " borrowed by others are not enough, so no job is preempted");
    }

    /** the delay before a job can preempt others. */
    private Optional<Veto> tooSoon(final JobObserved job) {
        final Instant since = job.eligibility() instanceof Eligibility.EligibleSince eligible
                ? eligible.since()
                : job.job().submittedAt();
        final int cores = job.resources().cores();
        final WaitingJob waiting = new WaitingJob(
                cores, view.priority().classes().apply(job.job()), job.detail().qos());
        final Instant from = policy.preemptionLimits().reclaimAllowedFrom(since, waiting);
        if (!from.isAfter(now)) {
            return Optional.empty();
        }
        wakeAt(from);
        return Optional.of(VetoCode.PREEMPTION_DELAYED.veto(
                "waiting since " + since + "; a job of " + cores + " cores can preempt others from " + from));
    }

    /** the limit of reclaims within an hour. */
    private Optional<Veto> tooMany(final int decided) {
        final long open = view.commands().unanswered().stream()
                        .filter(command -> command.action() instanceof Action.Reclaim)
                        .count()
                + decided;
        final List<Instant> done = view.commands().doneSince("reclaim", now.minus(HOUR));
        if (open + done.size() < policy.preemptionLimits().perHour()) {
            return Optional.empty();
        }
        done.stream().min(Comparator.naturalOrder()).ifPresent(first -> wakeAt(first.plus(HOUR)));
        return Optional.of(VetoCode.PREEMPTION_LIMIT_REACHED.veto(
                done.size() + " reclaims were executed within the last hour and " + open
                        + " are pending; the limit is "
                        + policy.preemptionLimits().perHour()));
    }

    private Optional<Veto> cluster() {
        if (marker.health() instanceof WlmHealth.Stale stale) {
            return Optional.of(VetoCode.CLUSTER_STALE.veto("the workload manager of " + marker.cluster()
                    + " has not answered since " + stale.lastAnsweredAt() + ": " + stale.reason()));
        }
        if (Duration.between(marker.observedAt(), now).compareTo(QuotaPolicy.FRESHNESS) > 0) {
            return Optional.of(VetoCode.AGENT_SILENT.veto(
                    "the agent of " + marker.cluster() + " has been silent since " + marker.observedAt()));
        }
        if (Enforcement.of(marker).byTiers()) {
            return Optional.of(VetoCode.ENFORCED_BY_WORKLOAD_MANAGER.veto("the scheduler of " + marker.cluster()
                    + " preempts by itself for jobs within quota, by their tier"));
        }
        return marker.capabilities().contains(Capability.RECLAIM)
                ? Optional.empty()
                : Optional.of(VetoCode.PREEMPTION_UNSUPPORTED.veto(
                        "the agent of " + marker.cluster() + " does not support preemption"));
    }

    /** after a start that fits on no cores of victims, no job is preempted for it again until its request or the nodes change. */
    private Optional<Veto> cannotStart(final JobObserved job) {
        return view.commands()
                .lastAnswer(new Action.Reclaim(List.of(), job.job()))
                .map(last -> last.result() instanceof Result.Failed failed ? failed : null)
                .filter(failed -> failed.whileUnchanged() != null
                        && failed.whileUnchanged()
                                .equals(PlacementRequest.of(job)
                                        .onNodes(view.observed().nodes())))
                .map(failed -> VetoCode.NO_SUITABLE_NODES.veto(
                        "no job is preempted for it until its request or the nodes change: " + failed.reason()));
    }

    private Optional<Veto> backOff(final JobObserved job) {
        final Action action = new Action.Reclaim(List.of(), job.job());
        final Optional<Pause> pause = new CommandFactory(view, policy, now).backOff(action);
        pause.filter(rest -> !rest.endsWithARevision()).ifPresent(rest -> wakeAt(rest.until()));
        return pause.map(rest ->
                VetoCode.PREEMPTION_BACKOFF.veto("in back-off after its last reclaim, which failed: " + rest.reason()));
    }

    private void wakeAt(final Instant at) {
        wakeAt = wakeAt == null || at.isBefore(wakeAt) ? at : wakeAt;
    }

    Map<JobKey, Veto> all() {
        return vetoes;
    }

    Optional<Instant> wakeAt() {
        return Optional.ofNullable(wakeAt);
    }
}
