package io.millrace.migration.domain;

import io.millrace.model.GlobalJobId;
import io.millrace.model.Veto;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Plan;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The published plan of each waiting job. A new obstacle is published at once; changed figures alone only once per plan interval,
 * because idle cores change with every revision of every cluster.
 */
public final class PublishedPlans {

    private record Announced(Plan plan, Instant at) {}

    private final MigrationPolicy policy;
    private final Map<GlobalJobId, Announced> announced = new HashMap<>();

    public PublishedPlans(final MigrationPolicy policy) {
        this.policy = policy;
    }

    public void read(final Plan plan, final Instant at) {
        if (plan.issuer() == Issuer.MIGRATION && plan.job() instanceof GlobalJobId job) {
            announced.put(job, new Announced(plan, at));
        }
    }

    public void readWithdrawn(final GlobalJobId job) {
        announced.remove(job);
    }

    /** The plan to publish, if it differs enough from the published one. */
    public Optional<LogChange> explain(
            final GlobalJobId job, final String why, final List<Veto> vetoes, final Instant now) {
        final Plan plan = new Plan(job, Issuer.MIGRATION, null, 0, why, vetoes);
        final Announced before = announced.get(job);
        final boolean quiet = before != null
                && (before.plan().equals(plan)
                        || (codes(before.plan()).equals(codes(plan))
                                && before.at().plus(policy.planInterval()).isAfter(now)));
        if (quiet) {
            return Optional.empty();
        }
        announced.put(job, new Announced(plan, now));
        return Optional.of(new LogChange.Publish(plan));
    }

    /** Withdraws the published plan of the job, if there is one. */
    public Optional<LogChange> withdraw(final GlobalJobId job) {
        return announced.remove(job) == null ? Optional.empty() : Optional.of(new LogChange.WithdrawPlan(job));
    }

    private static Set<String> codes(final Plan plan) {
        return plan.vetoes().stream()
                .map(veto -> veto.code() + " " + clusterOf(veto))
                .collect(Collectors.toSet());
    }

    /** The reason of a veto of this service begins with the cluster and a colon. */
    public static String clusterOf(final Veto veto) {
        final int colon = veto.reason().indexOf(':');
        return colon < 0 ? "" : veto.reason().substring(0, colon);
    }
}
