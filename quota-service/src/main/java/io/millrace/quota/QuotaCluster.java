package io.millrace.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.LedgerEntry;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.policy.Usage;
import io.millrace.model.protocol.Topic;
import io.millrace.model.view.Changes;
import io.millrace.model.view.CommandView;
import io.millrace.model.view.FollowedCluster;
import io.millrace.model.view.Published;
import io.millrace.quota.domain.BudgetCancellations;
import io.millrace.quota.domain.LocalEnforcement;
import io.millrace.quota.domain.QuotaPlan;
import io.millrace.quota.domain.QuotaPlanner;
import io.millrace.quota.domain.account.Entitlements;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.budget.BudgetUsage;
import io.millrace.quota.domain.budget.ClusterCharges;
import io.millrace.quota.domain.priority.PriorityView;
import io.millrace.quota.domain.view.QuotaView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One cluster as quota-service remembers it: its view, its commands, and what was said about it. */
final class QuotaCluster {

    private final ClusterId cluster;
    private final FollowedCluster followed;
    private final Published<Entitlement> entitlements = new Published<>();
    private final Published<Usage> usage = new Published<>();
    private final ClusterCharges charges;
    private final Published<Plan> plans = new Published<>();
    private final Published<PlacementOffered> offers = new Published<>();
    private final OvercommitmentWarning overcommitment;
    private final LocalEnforcement localOrders = new LocalEnforcement();
    private final JobClasses classes = new JobClasses();
    private Optional<Instant> wakeAt = Optional.empty();

    QuotaCluster(final ClusterId cluster, final BudgetRules budgets) {
        this.cluster = cluster;
        this.charges = new ClusterCharges(cluster, budgets);
        this.followed = new FollowedCluster(cluster);
        this.overcommitment = new OvercommitmentWarning(cluster);
    }

    FollowedCluster followed() {
        return followed;
    }

    /** A quota of it, or somebody's use of other clusters, has changed. */
    void changed() {
        followed.markChanged();
    }

    ClusterCharges charges() {
        return charges;
    }

    void replayed(final Topic topic, final String key, final @Nullable Event event) {
        switch (topic) {
            case ENTITLEMENTS -> entitlements.replay(key, (Entitlement) event);
            case USAGE -> usage.replay(key, (Usage) event);
            case PLANS -> {
                if (PlacementOffered.isKey(key)) {
                    offers.replay(key, (PlacementOffered) event);
                } else {
                    plans.replay(key, (Plan) event);
                }
            }
            default -> throw new IllegalArgumentException(topic + " is not written by quota-service for a cluster");
        }
    }

    /** Takes the classes of a job; null: it has left. */
    void classified(final JobKey job, final @Nullable List<String> into) {
        classes.put(job, into);
    }

    Optional<Instant> wakeAt() {
        return wakeAt;
    }

    /** Books what has ended and closes what is due; said at once, for ends are read only once. Before {@link #decide}, which rests on the sums of all clusters. */
    void bookRuns(final BudgetUsage sums, final Instant now, final Changes changes) {
        final List<LedgerEntry> entries = charges.book(classes::of, now);
        changes.putAll(entries);
        if (followed.view().marker() != null) {
            charges.observed(followed.view(), classes::of);
            changes.putAll(charges.close(now));
        } else if (entries.isEmpty()) {
            return; // a cluster of another partition, known by its sums alone
        }
        changes.add(Topic.USAGE, charges.publish(sums, now), cluster);
    }

    /**
     * Adds to {@code changes} what is new; nothing if nothing was heard and no pause has ended.
     *
     * @param askedElsewhere core-seconds that a user has asked for on other clusters
     */
    void decide(
            final CentreSnapshot centre,
            final ToLongFunction<UserName> askedElsewhere,
            final Instant now,
            final Changes changes) {
        final boolean pauseOver = wakeAt.map(at -> !at.isAfter(now)).orElse(false);
        if (!followed.takeChanged() && !pauseOver) {
            return;
        }
        final CommandView commands = followed.commands();
        commands.forgetBefore(now);
        final QuotaView view = QuotaView.of(
                        followed.view(), commands, centre.quotas(), askedElsewhere, centre.usage(), centre.budgets())
                .with(PriorityView.of(centre.priority(), classes::of, usage.current()))
                .withSuspendedVictims(SuspendedVictims.of(plans.current()))
                .withUnplaced(centre.unplaced());
        final QuotaPlan plan = QuotaPlanner.plan(view, centre.policy(), now);
        overcommitment.check(
                centre.quotas().guaranteedOn(cluster, now),
                Objects.requireNonNull(view.assumed().marker()).total().cores());
        wakeAt = Stream.concat(plan.wakeAt().stream(), centre.budgets().rules().nextChange(now).stream())
                .min(Comparator.naturalOrder());
        // The commands first: whoever reads on sees who gives way before it sees the rights that follow from it.
        say(plan.reclaims(), changes);
        say(plan.resumptions(), changes);
        say(localOrders.commands(view, plan.entitlements(), centre.policy(), now), changes);
        say(BudgetCancellations.cancels(view, centre.policy(), now), changes);
        changes.add(
                Topic.ENTITLEMENTS, entitlements.replaceAll(plan.entitlements().values(), Entitlements::isSame), cluster);
        changes.add(Topic.USAGE, usage.replaceAll(plan.usage().values(), Objects::equals), cluster);
        changes.add(Topic.PLANS, offers.replaceAll(plan.offers(), PlacementOffered::isAsGoodAs), cluster);
        changes.add(Topic.PLANS, plans.replaceAll(outlook(plan, view), Objects::equals), cluster);
    }

    private void say(final List<Command> commands, final Changes changes) {
        for (final Command command : commands) {
            changes.put(command);
            followed.commands().apply(command, CommandView.NOT_YET_KNOWN);
        }
    }

    /** What a waiting job that is within its owner's quota can be told, and one that was suspended. */
    private List<Plan> outlook(final QuotaPlan plan, final QuotaView view) {
        final List<Plan> outlook = new ArrayList<>(SuspendedVictims.next(plans.current(), plan, view));
        plan.vetoes()
                .forEach((job, veto) ->
                        outlook.add(told(job, "within quota, but nobody gives way: " + veto.reason(), List.of(veto))));
        for (final Command command : plan.reclaims()) {
            final Action.Reclaim reclaim = (Action.Reclaim) command.action();
            outlook.add(told(
                    reclaim.beneficiary(),
                    "within quota: " + reclaim.victims().size() + " job(s) give way to it",
                    List.of()));
        }
        return outlook;
    }

    private static Plan told(final JobKey job, final String why, final List<Veto> vetoes) {
        return new Plan(job, Issuer.QUOTA, null, 0, why, vetoes);
    }
}
