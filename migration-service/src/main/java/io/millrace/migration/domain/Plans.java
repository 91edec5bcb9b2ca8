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
 * Why each job is not further, as last announced. A new obstacle is announced at once, mere figures only now and then: idle cores
 * change with every revision of every cluster.
 */
final class Plans {

    private record Announced(Plan plan, Instant at) {}

    private final Policy policy;
    private final Map<GlobalJobId, Announced> announced = new HashMap<>();

    Plans(final Policy policy) {
        this.policy = policy;
    }

    void read(final Plan plan, final Instant at) {
        if (plan.issuer() == Issuer.MIGRATION && plan.job() instanceof GlobalJobId job) {
            announced.put(job, new Announced(plan, at));
        }
    }

    void readWithdrawn(final GlobalJobId job) {
        announced.remove(job);
    }

    /** The plan to announce, if what is known differs enough from what was said. */
    Optional<Announcement> explain(
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
        return Optional.of(new Announcement.Say(plan));
    }

    /** Withdraws what was said about the job, if anything was. */
    Optional<Announcement> withdraw(final GlobalJobId job) {
        return announced.remove(job) == null ? Optional.empty() : Optional.of(new Announcement.PlanOver(job));
    }

    private static Set<String> codes(final Plan plan) {
        return plan.vetoes().stream()
                .map(veto -> veto.code() + " " + clusterOf(veto))
                .collect(Collectors.toSet());
    }

    /** The first word of our vetoes is the cluster they speak of. */
    static String clusterOf(final Veto veto) {
        final int colon = veto.reason().indexOf(':');
        return colon < 0 ? "" : veto.reason().substring(0, colon);
    }
}
