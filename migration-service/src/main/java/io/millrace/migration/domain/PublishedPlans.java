package io.millrace.migration.domain;

import io.millrace.decide.Published;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Veto;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Plan;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/**
 * The published plan of each waiting job. A new obstacle is published at once; changed figures alone only once per plan interval,
 * because idle cores change with every revision of every cluster.
 */
public final class PublishedPlans {

    private record Announced(Plan plan, Instant at) {}

    private final MigrationPolicy policy;
    private final Published<GlobalJobId, Announced> announced = new Published<>(one -> (GlobalJobId) one.plan.job());

    public PublishedPlans(final MigrationPolicy policy) {
        this.policy = policy;
    }

    public void read(final Plan plan, final Instant at) {
        if (plan.issuer() == Issuer.MIGRATION && plan.job() instanceof GlobalJobId job) {
            announced.replay(job, new Announced(plan, at));
        }
    }

    public void readWithdrawn(final GlobalJobId job) {
        announced.replay(job, null);
    }

    /** The plan of a waiting job to publish, if it names other obstacles than the published one. Its figures are those of their beginning. */
    public Optional<LogChange> waits(
            final GlobalJobId job, final String why, final List<Veto> vetoes, final Instant now) {
        return publish(job, why, vetoes, now, PublishedPlans::hasSameObstacles);
    }

    /** The plan to publish, if it differs enough from the published one. */
    public Optional<LogChange> explain(
            final GlobalJobId job, final String why, final List<Veto> vetoes, final Instant now) {
        return publish(
                job,
                why,
                vetoes,
                now,
                (before, plan) -> hasSameObstacles(before, plan)
                        && before.at().plus(policy.planInterval()).isAfter(now));
    }

    private Optional<LogChange> publish(
            final GlobalJobId job,
            final String why,
            final List<Veto> vetoes,
            final Instant now,
            final BiPredicate<Announced, Announced> same) {
        final Plan plan = new Plan(job, Issuer.MIGRATION, null, 0, why, vetoes);
        final boolean isNew = announced.replace(
                new Announced(plan, now),
                (before, wanted) -> before.plan().equals(wanted.plan()) || same.test(before, wanted));
        return isNew ? Optional.of(new LogChange.Publish(plan)) : Optional.empty();
    }

    /** Withdraws the published plan of the job, if there is one. */
    public Optional<LogChange> withdraw(final GlobalJobId job) {
        return announced.remove(job) ? Optional.of(new LogChange.WithdrawPlan(job)) : Optional.empty();
    }

    private static boolean hasSameObstacles(final Announced before, final Announced now) {
        return codes(before.plan).equals(codes(now.plan));
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
