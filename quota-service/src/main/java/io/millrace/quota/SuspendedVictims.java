package io.millrace.quota;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Preemption;
import io.millrace.model.policy.Plan;
import io.millrace.quota.domain.plan.QuotaPlan;
import io.millrace.quota.domain.view.QuotaView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** the victims that Millrace has suspended. Their plan on the log distinguishes them from jobs that someone else suspended. */
final class SuspendedVictims {

    private SuspendedVictims() {}

    static Set<JobKey> of(final Collection<Plan> current) {
        return current.stream()
                .filter(SuspendedVictims::isSuspendedVictim)
                .map(plan -> (JobKey) plan.job())
                .collect(Collectors.toSet());
    }

    /** The jobs that are still suspended, and those that this plan suspends. */
    static List<Plan> next(final Collection<Plan> current, final QuotaPlan plan, final QuotaView view) {
        final List<Plan> next = new ArrayList<>();
        current.stream()
                .filter(SuspendedVictims::isSuspendedVictim)
                .filter(one -> isStillSuspended((JobKey) one.job(), view))
                .forEach(next::add);
        plan.reclaims().forEach(command -> next.addAll(of((Action.Reclaim) command.action())));
        return next;
    }

    private static boolean isSuspendedVictim(final Plan plan) {
        return Boolean.TRUE.equals(plan.suspended());
    }

    /** True until the job is observed running: a resume command may be refused, and the job must not be lost then. */
    private static boolean isStillSuspended(final JobKey job, final QuotaView view) {
        return isSuspended(view.assumed().job(job))
                || isSuspended(view.observed().job(job));
    }

    private static boolean isSuspended(final @Nullable JobObserved job) {
        return job != null && (job.state() instanceof JobState.Suspended || job.state() instanceof JobState.Unknown);
    }

    private static List<Plan> of(final Action.Reclaim reclaim) {
        return reclaim.allPreemptions().stream()
                .filter(one -> one.mode() == Preemption.Mode.SUSPEND)
                .map(one -> Plan.ofSuspended(
                        one.victim(),
                        Issuer.QUOTA,
                        "suspended for " + reclaim.beneficiary() + "; resumes when its cores are idle"))
                .toList();
    }
}
