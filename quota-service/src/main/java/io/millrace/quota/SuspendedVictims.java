package io.millrace.quota;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Preemption;
import io.millrace.model.policy.Plan;
import io.millrace.quota.domain.QuotaPlan;
import io.millrace.quota.domain.view.QuotaView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** jobs that we have suspended. It stands on the log as their plan, for nothing else tells them from those that somebody else did. */
final class SuspendedVictims {

    private SuspendedVictims() {}

    static Set<JobKey> of(final Collection<Plan> standing) {
        return standing.stream()
                .filter(SuspendedVictims::isOne)
                .map(plan -> (JobKey) plan.job())
                .collect(Collectors.toSet());
    }

    /** Those who still are, and those whom this plan suspends. */
    static List<Plan> next(final Collection<Plan> standing, final QuotaPlan plan, final QuotaView view) {
        final List<Plan> next = new ArrayList<>();
        standing.stream()
                .filter(SuspendedVictims::isOne)
                .filter(one -> isStill((JobKey) one.job(), view))
                .forEach(next::add);
        plan.reclaims().forEach(command -> next.addAll(of((Action.Reclaim) command.action())));
        return next;
    }

    private static boolean isOne(final Plan plan) {
        return Boolean.TRUE.equals(plan.suspended());
    }

    /** Until it is seen to go on: the order to do so may be refused, and then it would be forgotten where it stands. */
    private static boolean isStill(final JobKey job, final QuotaView view) {
        return isAside(view.assumed().job(job)) || isAside(view.observed().job(job));
    }

    private static boolean isAside(final @Nullable JobObserved job) {
        return job != null && (job.state() instanceof JobState.Suspended || job.state() instanceof JobState.Unknown);
    }

    private static List<Plan> of(final Action.Reclaim reclaim) {
        return reclaim.allPreemptions().stream()
                .filter(one -> one.mode() == Preemption.Mode.SUSPEND)
                .map(one -> Plan.ofSuspended(
                        one.victim(),
                        Issuer.QUOTA,
                        "suspended for " + reclaim.beneficiary() + "; goes on when its cores are idle"))
                .toList();
    }
}
