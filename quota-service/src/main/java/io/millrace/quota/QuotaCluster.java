package io.millrace.quota;

import io.millrace.decide.Changes;
import io.millrace.decide.CommandView;
import io.millrace.decide.FollowedCluster;
import io.millrace.decide.Published;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.PlanKey;
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.Usage;
import io.millrace.quota.domain.BudgetCancellations;
import io.millrace.quota.domain.LocalEnforcement;
import io.millrace.quota.domain.account.PlannedEntitlement;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.budget.Budgets;
import io.millrace.quota.domain.budget.ClusterCharges;
import io.millrace.quota.domain.plan.QuotaPlan;
import io.millrace.quota.domain.plan.QuotaPlanner;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state of one cluster in quota-service: its view, its commands, and the published values. */
final class QuotaCluster {

    private static final Logger LOG = LoggerFactory.getLogger(QuotaCluster.class);

    private final ClusterId cluster;
    private final FollowedCluster followed;
    private final Published<JobKey, Entitlement> entitlements = new Published<>(Entitlement::job);
    private final Published<String, Usage> usage = new Published<>(Usage::key);
    private final ClusterCharges charges;
    private final Published<String, Plan> plans = new Published<>(Plan::key);
    private final Published<String, PlacementOffered> offers = new Published<>(PlacementOffered::key);
    private final OvercommitmentWarning overcommitment;
    private final LocalEnforcement localOrders = new LocalEnforcement();
    private final JobClasses classes = new JobClasses();
    private Optional<Instant> wakeAt = Optional.empty();

    QuotaCluster(final ClusterId cluster, final BudgetRules budgets) {
        this.cluster = cluster;
        this.charges = new ClusterCharges(cluster, budgets);
        this.followed = new FollowedCluster(cluster, Issuer.QUOTA);
        this.overcommitment = new OvercommitmentWarning(cluster);
    }

    FollowedCluster followed() {
        return followed;
    }

    /** A quota of the cluster, or use on other clusters, has changed. */
    void changed() {
        followed.markChanged();
    }

    ClusterCharges charges() {
        return charges;
    }

    void replayed(final Topic topic, final String key, final @Nullable Event event) {
        switch (topic) {
            case ENTITLEMENTS -> entitlements.replay(JobKey.of(key), (Entitlement) event);
            case USAGE -> usage.replay(key, (Usage) event);
            case PLANS -> {
                switch (PlanKey.of(key)) {
                    case PlanKey.Offer offer -> offers.replay(key, (PlacementOffered) event);
                    case PlanKey.OfJob plan -> plans.replay(key, (Plan) event);
                    case PlanKey.OfCluster closed -> {}
                }
            }
            default -> throw new IllegalArgumentException(topic + " is not written by quota-service for a cluster");
        }
    }

    /** Applies the classes of a job; null: the job has left. */
    void classified(final JobKey job, final @Nullable List<String> into) {
        classes.put(job, into);
    }

    Optional<Instant> wakeAt() {
        return wakeAt;
    }

    /** Charges ended runs and closes periods. Called before {@link #decide}, which needs the sums of all clusters. */
    void bookRuns(final Budgets budgets, final Instant now, final Changes changes) {
        final List<LedgerEntry> entries = charges.book(classes::of, now);
        changes.putAll(entries);
        if (followed.view().marker() != null) {
            charges.observed(followed.view(), classes::of, budgets.rules().isSome());
            changes.putAll(charges.close(now));
        } else if (entries.isEmpty()) {
            return; // a cluster of another partition: only its sums are known
        }
        changes.add(Topic.USAGE, charges.publish(budgets.usage(), now), cluster);
    }

    /**
     * Adds what changes to {@code changes}; nothing if there was no event and no wake-up is due.
     *
     * @param requestedElsewhere_core_s core-seconds that a user requests on other clusters
     */
    void decide(
            final CentreSnapshot centre,
            final ToLongFunction<UserName> requestedElsewhere_core_s,
            final Instant now,
            final Changes changes) {
        final boolean wakeUpDue = wakeAt.map(at -> !at.isAfter(now)).orElse(false);
        if (!followed.takeChanged() && !wakeUpDue) {
            return;
        }
        final CommandView commands = followed.commands();
        commands.forgetBefore(now);
        final QuotaView view = QuotaView.of(
                        followed.view(),
                        commands,
                        centre.quotas(),
                        requestedElsewhere_core_s,
                        centre.usage(),
                        centre.budgets())
                .with(PriorityView.of(centre.priority(), classes::of, usage.current()))
                .withSuspendedVictims(SuspendedVictims.of(plans.current()))
                .withUnplaced(centre.unplaced())
                .withLocks(centre.locks());
        final QuotaPlan plan = QuotaPlanner.plan(view, centre.policy(), now);
        overcommitment.check(
                centre.quotas().guaranteedOn(cluster, now),
                Objects.requireNonNull(view.assumed().marker()).total().cores());
        wakeAt = Stream.concat(plan.wakeAt().stream(), centre.budgets().rules().nextChange(now).stream())
                .min(Comparator.naturalOrder());
        // Commands first, so that readers see a preemption before the entitlements that follow from it.
        issue(plan.reclaims(), changes);
        issue(plan.resumptions(), changes);
        issue(localOrders.commands(view, plan, centre.policy(), now), changes);
        issue(BudgetCancellations.cancels(view, centre.policy(), now), changes);
        changes.add(
                Topic.ENTITLEMENTS,
                entitlements.replaceAll(
                        plan.planned(),
                        PlannedEntitlement::job,
                        (published, planned) -> planned.isPublishedAs(published),
                        this::entitlement),
                cluster);
        changes.add(Topic.USAGE, usage.replaceAll(plan.usage().values(), Objects::equals), cluster);
        changes.add(Topic.PLANS, offers.replaceAll(plan.offers(), PlacementOffered::isAsGoodAs), cluster);
        changes.add(Topic.PLANS, plans.replaceAll(jobPlans(plan, view), Objects::equals), cluster);
    }

    /** The event of a new or changed entitlement; logged if its level is new. */
    private Entitlement entitlement(final @Nullable Entitlement before, final PlannedEntitlement planned) {
        final Entitlement decided = planned.event();
        if (before == null || before.level() != decided.level()) {
            LOG.info(
                    "Entitlement decided: jobId={} cluster={} decision={} reason={}",
                    decided.job(),
                    cluster,
                    decided.level(),
                    decided.reason());
        }
        return decided;
    }

    private void issue(final List<Command> commands, final Changes changes) {
        for (final Command command : commands) {
            changes.put(command);
            followed.commands().apply(command, CommandView.NOT_YET_KNOWN);
        }
    }

    /** The plans of waiting jobs within quota and of suspended victims. */
    private List<Plan> jobPlans(final QuotaPlan plan, final QuotaView view) {
        final List<Plan> jobPlans = new ArrayList<>(SuspendedVictims.next(plans.current(), plan, view));
        plan.vetoes()
                .forEach((job, veto) -> jobPlans.add(
                        planOf(job, "within quota, but no reclaim is possible: " + veto.reason(), List.of(veto))));
        for (final Command command : plan.reclaims()) {
            final Action.Reclaim reclaim = (Action.Reclaim) command.action();
            jobPlans.add(planOf(
                    reclaim.beneficiary(),
                    "within quota: " + reclaim.victims().size() + " job(s) are preempted for it",
                    List.of()));
        }
        return jobPlans;
    }

    private static Plan planOf(final JobKey job, final String why, final List<Veto> vetoes) {
        return new Plan(job, Issuer.QUOTA, null, 0, why, vetoes);
    }
}
