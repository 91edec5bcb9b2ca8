package io.millrace.quota.domain;

import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Command;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Entitlement.Right;
import io.millrace.model.view.NodeRoom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * a waiting job that could start, does not fit, and is within its owner's quota gets the cores of jobs beyond other users'
 * quotas, by one reclaim. Q-9: if the cores cannot be had, nobody is preempted, and a veto says why. Q-34: cores that a job within quota
 * will start on are promised to it and to nobody after it.
 */
final class Reclaims {

    private final QuotaView view;
    private final Accounts accounts;
    private final QuotaPolicy policy;
    private final Instant now;
    private final VictimSearch search;
    private final ReclaimVetoes vetoes;
    private final NodeRoom room;
    private final List<Command> commands = new ArrayList<>();
    private int idle;
    /** Whether claims were made since somebody looked what quotas leave. */
    private boolean claimed;

    Reclaims(
            final QuotaView view,
            final Accounts accounts,
            final QuotaPolicy policy,
            final Ways ways,
            final Instant now) {
        this.view = view;
        this.accounts = accounts;
        this.policy = policy;
        this.now = now;
        this.search = new VictimSearch(accounts, policy, ways);
        this.vetoes = new ReclaimVetoes(view, policy, now);
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
        if (!accounts.of(job).admits(job.resources(), quota -> 0)) {
            return;
        }
        if (policy.rules().enough(idle, needed) && room.fits(job.resources())) {
            willStart(job);
            return;
        }
        measure();
        final int freeable = search.freeable(job.owner());
        if (vetoes.forbid(job, idle, freeable, commands.size())) {
            return;
        }
        final List<Victim> victims = search.find(job, idle, room);
        if (!victims.isEmpty()) {
            reclaim(job, victims);
        } else if (policy.rules().minimal()) {
            vetoes.nobodyFound(job, noNodes(job));
        } else {
            vetoes.nobodyFound(job, ReclaimVetoes.cannotSuffice(needed, idle, freeable));
        }
    }

    /** Q-34; the published rules promise no idle cores, so there is nothing to be promised twice. */
    private void willStart(final JobObserved job) {
        if (policy.rules().idleCounts()) {
            idle -= job.resources().cores();
            grant(job);
        }
    }

    private void reclaim(final JobObserved job, final List<Victim> victims) {
        commands.add(ReclaimCommand.of(job, victims, idle, view, accounts, policy, now));
        int freed = 0;
        for (final Victim victim : victims) {
            freed += victim.cores();
            accounts.of(victim.job()).remove(victim.job());
            search.taken(victim.job());
            room.give(victim.freed(), victim.job().nodes());
        }
        // Cores that it frees beyond the need are promised to nobody before a revision shows them.
        idle -= Math.max(0, job.resources().cores() - freed);
        grant(job);
    }

    private void grant(final JobObserved job) {
        room.take(job.resources());
        accounts.started(job, now);
        search.changed(accounts.of(job));
        claimed = accounts.areIntertwined();
    }

    /** Late, and once for many: a job that fits needs no victims. */
    private void measure() {
        if (claimed) {
            accounts.measure();
            search.allChanged();
            claimed = false;
        }
    }

    /** Who would give way to a job that is not here yet; empty if it fits, is beyond quota, or nobody would. */
    List<Victim> wouldGiveWay(final JobObserved job) {
        final Account account = accounts.of(job);
        if (!account.admits(job.resources(), quota -> 0)
                || policy.rules().enough(idle, job.resources().cores()) && room.fits(job.resources())) {
            return List.of();
        }
        measure();
        return new ReclaimVetoes(view, policy, now).forbid(job, idle, search.freeable(job.owner()), commands.size())
                ? List.of()
                : search.find(job, idle, room);
    }

    String quotaOf(final JobObserved job) {
        return accounts.of(job).quotaInWords();
    }

    private Veto noNodes(final JobObserved job) {
        return Veto.forNow(
                "no-nodes",
                "the cores would suffice, but no set of jobs beyond other users' quotas frees "
                        + job.resources().nodes() + " node(s) with " + room.coresPerNode(job.resources())
                        + " cores each, so nobody is preempted");
    }

    List<Command> commands() {
        return commands;
    }

    Map<JobKey, Veto> vetoes() {
        return vetoes.all();
    }

    Optional<Instant> lookAgain() {
        return vetoes.lookAgain();
    }

    /** Idle cores that are promised to nobody. */
    int idleLeft() {
        return idle;
    }

    /** The same node by node. */
    NodeRoom roomLeft() {
        return room;
    }
}
