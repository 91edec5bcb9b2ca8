package io.millrace.quota.domain;

import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Enforcement;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Entitlement.Right;
import io.millrace.model.view.NodeRoom;
import io.millrace.model.view.Retry.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * a waiting job that could start, does not fit, and is within its owner's quota gets the cores of jobs beyond other users'
 * quotas, by one reclaim. Q-9: if the cores cannot be had, nobody is preempted, and a veto says why.
 */
final class Reclaims {

    private static final Duration HOUR = Duration.ofHours(1);

    private final QuotaView view;
    private final Accounts accounts;
    private final QuotaPolicy policy;
    private final Instant now;
    private final VictimSearch search;
    private final NodeRoom room;
    private final List<Command> commands = new ArrayList<>();
    private final Map<JobKey, Veto> vetoes = new LinkedHashMap<>();
    private @Nullable Instant lookAgain;
    private int idle;

    Reclaims(final QuotaView view, final Accounts accounts, final QuotaPolicy policy, final Instant now) {
        this.view = view;
        this.accounts = accounts;
        this.policy = policy;
        this.now = now;
        this.search = new VictimSearch(accounts, policy, now);
        this.idle = view.assumed().idleCores();
        this.room = roomOf(view);
    }

    /** Free cores node by node; jobs that are only assumed to run have their room too. */
    private static NodeRoom roomOf(final QuotaView view) {
        final NodeRoom room = NodeRoom.of(view.observed().nodes());
        for (final JobObserved job : view.assumed().jobs()) {
            final JobObserved seen = view.observed().job(job.job());
            if (job.state() instanceof JobState.Running
                    && seen != null
                    && seen.state().isWaiting()) {
                room.take(job.resources());
            }
        }
        return room;
    }

    void consider(final Map<JobKey, Entitlement> entitlements, final Predicate<JobKey> mayReclaim) {
        final Comparator<JobObserved> byPriority = Comparator.comparingLong(job -> -priority(entitlements, job));
        accounts.waiting().stream()
                .filter(Accounts::isStartable)
                .filter(job -> right(entitlements, job) != Right.HELD)
                .filter(job -> mayReclaim.test(job.job()))
                .sorted(byPriority)
                .toList()
                .forEach(this::consider);
    }

    private static Right right(final Map<JobKey, Entitlement> entitlements, final JobObserved job) {
        return Objects.requireNonNull(entitlements.get(job.job()), "every waiting job is entitled")
                .right();
    }

    private static long priority(final Map<JobKey, Entitlement> entitlements, final JobObserved job) {
        return Objects.requireNonNull(entitlements.get(job.job()), "every waiting job is entitled")
                .priority();
    }

    private void consider(final JobObserved job) {
        final int needed = job.resources().cores();
        final boolean withinQuota = accounts.of(job).admits(job.resources(), quota -> 0);
        final boolean fits = policy.rules().enough(idle, needed) && room.fits(job.resources());
        if (!withinQuota || fits) {
            return;
        }
        final Optional<Veto> veto = vetoAgainst(job, needed);
        if (veto.isPresent()) {
            vetoes.put(job.job(), veto.get());
            return;
        }
        final List<Occupant> victims = search.find(job, idle, room);
        if (victims.isEmpty()) {
            vetoes.put(
                    job.job(),
                    policy.rules().minimal() ? noNodes(job) : cannotSuffice(needed, search.freeable(job.owner())));
            return;
        }
        reclaim(job, victims);
    }

    private Optional<Veto> vetoAgainst(final JobObserved job, final int needed) {
        final RevisionClosed marker = view.assumed().marker();
        final Optional<Veto> unable = cluster(marker);
        if (unable.isPresent()) {
            return unable;
        }
        final int freeable = search.freeable(job.owner());
        if (needed > marker.total().cores()) {
            return Optional.of(tooLarge(needed, marker));
        }
        if (!policy.rules().enough((policy.rules().idleCounts() ? idle : 0L) + freeable, needed)) {
            return Optional.of(cannotSuffice(needed, freeable));
        }
        return tooSoon(job).or(this::tooMany).or(() -> pause(job, marker));
    }

    /** a wait before others give way, by size. */
    private Optional<Veto> tooSoon(final JobObserved job) {
        final Instant since = job.eligible() == null ? job.job().submitted() : job.eligible();
        final Instant from =
                policy.restraint().mayReclaimFrom(since, job.resources().cores());
        if (!from.isAfter(now)) {
            return Optional.empty();
        }
        lookAgain(from);
        return Optional.of(Veto.forNow(
                "reclaim-delayed",
                "waits since " + since + "; others give way to "
                        + job.resources().cores() + " cores from " + from + " on"));
    }

    /** so many reclaims within an hour, and no more. */
    private Optional<Veto> tooMany() {
        final long open = view.commands().unanswered().stream()
                        .filter(command -> command.action() instanceof Action.Reclaim)
                        .count()
                + commands.size();
        final List<Instant> done = view.commands().doneSince(Issuer.QUOTA, "reclaim", now.minus(HOUR));
        if (open + done.size() < policy.restraint().perHour()) {
            return Optional.empty();
        }
        done.stream().min(Comparator.naturalOrder()).ifPresent(first -> lookAgain(first.plus(HOUR)));
        return Optional.of(Veto.forNow(
                "reclaims-exhausted",
                done.size() + " reclaims were carried out within the last hour and " + open
                        + " are under way; this cluster allows "
                        + policy.restraint().perHour()));
    }

    private Optional<Veto> cluster(final RevisionClosed marker) {
        if (marker.health() instanceof WlmHealth.Stale stale) {
            return Optional.of(Veto.forNow(
                    "cluster-stale",
                    "the workload manager of " + marker.cluster() + " does not answer since " + stale.lastGood() + ": "
                            + stale.because()));
        }
        if (Duration.between(marker.observedAt(), now).compareTo(policy.freshness()) > 0) {
            return Optional.of(Veto.forNow(
                    "agent-silent",
                    "the agent of " + marker.cluster() + " has said nothing since " + marker.observedAt()));
        }
        if (Enforcement.of(marker).byTiers()) {
            return Optional.of(Veto.permanent(
                    "kept-locally",
                    "the scheduler of " + marker.cluster()
                            + " itself makes room for jobs within quota, by the tier they wait in"));
        }
        if (!marker.capabilities().contains(Capability.RECLAIM)) {
            return Optional.of(Veto.permanent(
                    "no-reclaim", "the agent of " + marker.cluster() + " cannot take jobs off their cores"));
        }
        return Optional.empty();
    }

    private Optional<Veto> pause(final JobObserved job, final RevisionClosed marker) {
        final Action action = new Action.Reclaim(List.of(), job.job());
        final Optional<Pause> pause = policy.retry().pause(view.commands(), Issuer.QUOTA, action, marker, now);
        pause.filter(rest -> !rest.endsWithARevision()).ifPresent(rest -> lookAgain(rest.until()));
        return pause.map(rest ->
                Veto.forNow("reclaim-rests", "rests after its last reclaim, which was answered: " + rest.because()));
    }

    private void lookAgain(final Instant at) {
        lookAgain = lookAgain == null || at.isBefore(lookAgain) ? at : lookAgain;
    }

    private static Veto tooLarge(final int needed, final RevisionClosed marker) {
        return Veto.forNow(
                "more-than-up",
                "needs " + needed + " cores, " + marker.total().cores() + " are up on " + marker.cluster());
    }

    private Veto cannotSuffice(final int needed, final int freeable) {
        return Veto.forNow(
                "cannot-suffice",
                "needs " + needed + " cores; " + idle + " idle + " + freeable
                        + " beyond other users' quotas do not suffice, so nobody is preempted");
    }

    private Veto noNodes(final JobObserved job) {
        return Veto.forNow(
                "no-nodes",
                "the cores would suffice, but no set of jobs beyond other users' quotas frees "
                        + job.resources().nodes() + " node(s) with " + room.coresPerNode(job.resources())
                        + " cores each, so nobody is preempted");
    }

    private void reclaim(final JobObserved job, final List<Occupant> victims) {
        commands.add(ReclaimCommand.of(job, victims, idle, view, accounts, policy, now));
        int freed = 0;
        for (final Occupant victim : victims) {
            freed += victim.cores();
            accounts.of(victim).remove(victim);
            search.taken(victim);
            room.give(victim.resources(), victim.nodes());
        }
        // Cores that it frees beyond the need are promised to nobody before a revision shows them.
        idle -= Math.max(0, job.resources().cores() - freed);
        room.take(job.resources());
        accounts.started(job, now);
        if (accounts.areIntertwined()) {
            search.allChanged();
        } else {
            search.changed(accounts.of(job));
        }
    }

    List<Command> commands() {
        return commands;
    }

    Map<JobKey, Veto> vetoes() {
        return vetoes;
    }

    Optional<Instant> lookAgain() {
        return Optional.ofNullable(lookAgain);
    }
}
