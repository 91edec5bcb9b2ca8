package io.millrace.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.Veto;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.Usage;
import io.millrace.model.protocol.Topic;
import io.millrace.model.view.ClusterView;
import io.millrace.model.view.CommandView;
import io.millrace.model.view.Published;
import io.millrace.model.view.Published.Difference;
import io.millrace.quota.domain.Entitlements;
import io.millrace.quota.domain.QuotaBook;
import io.millrace.quota.domain.QuotaPlan;
import io.millrace.quota.domain.QuotaPlanner;
import io.millrace.quota.domain.QuotaPolicy;
import io.millrace.quota.domain.QuotaView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One cluster as quota-service remembers it: its view, its commands, and what was said about it. */
final class GovernedCluster {

    private final ClusterId cluster;
    private final ClusterView view;
    private final CommandView commands = new CommandView();
    private final Published<Entitlement> entitlements = new Published<>();
    private final Published<Usage> usage = new Published<>();
    private final Published<Plan> plans = new Published<>();
    private Optional<Instant> lookAgain = Optional.empty();
    private boolean due;

    GovernedCluster(final ClusterId cluster) {
        this.cluster = cluster;
        this.view = new ClusterView(cluster);
    }

    void observed(final ClusterStateEvent event) {
        if (view.apply(event)) {
            commands.included(((RevisionClosed) event).commandsIncluded());
            view.takeGone();
            due = true;
        }
    }

    void gone(final String key) {
        view.remove(key);
    }

    void issued(final Command command, final long offset) {
        commands.apply(command, offset);
        due = true;
    }

    void answered(final Outcome outcome) {
        commands.apply(outcome);
        due = true;
    }

    void quotaChanged() {
        due = true;
    }

    void replayed(final Topic topic, final String key, final @Nullable Event event) {
        switch (topic) {
            case ENTITLEMENTS -> entitlements.replay(key, (Entitlement) event);
            case USAGE -> usage.replay(key, (Usage) event);
            case PLANS -> plans.replay(key, (Plan) event);
            default -> throw new IllegalArgumentException(topic + " is not written by quota-service for a cluster");
        }
    }

    Optional<Instant> lookAgain() {
        return lookAgain;
    }

    /** Adds to {@code changes} what is new; nothing if nothing was heard and no pause has ended. */
    void decide(final QuotaBook quotas, final QuotaPolicy policy, final Instant now, final Changes changes) {
        final boolean pauseOver = lookAgain.map(at -> !at.isAfter(now)).orElse(false);
        if (view.marker() == null || !due && !pauseOver) {
            return;
        }
        due = false;
        commands.forgetBefore(now);
        final QuotaPlan plan = QuotaPlanner.plan(QuotaView.of(view, commands, quotas), policy, now);
        lookAgain = plan.lookAgain();
        // The commands first: whoever reads on sees who gives way before it sees the rights that follow from it.
        plan.reclaims().forEach(command -> {
            changes.put(command);
            commands.apply(command, CommandView.NOT_YET_KNOWN);
        });
        add(changes, Topic.ENTITLEMENTS, entitlements.become(plan.entitlements().values(), Entitlements::same));
        add(changes, Topic.USAGE, usage.become(plan.usage().values(), Objects::equals));
        add(changes, Topic.PLANS, plans.become(outlook(plan), Objects::equals));
    }

    private void add(final Changes changes, final Topic topic, final Difference<?> difference) {
        changes.putAll(difference.put());
        changes.remove(topic, difference.removed(), cluster);
    }

    /** What a waiting job that is within its owner's quota can be told. */
    private static List<Plan> outlook(final QuotaPlan plan) {
        final List<Plan> outlook = new ArrayList<>();
        plan.vetoes()
                .forEach((job, veto) -> outlook.add(new Plan(job, Issuer.QUOTA, null, 0, why(veto), List.of(veto))));
        plan.reclaims()
                .forEach(command -> outlook.add(new Plan(
                        ((Action.Reclaim) command.action()).beneficiary(),
                        Issuer.QUOTA,
                        null,
                        0,
                        "within quota: "
                                + ((Action.Reclaim) command.action()).victims().size() + " job(s) give way to it",
                        List.of())));
        return outlook;
    }

    private static String why(final Veto veto) {
        return "within quota, but nobody gives way: " + veto.because();
    }
}
