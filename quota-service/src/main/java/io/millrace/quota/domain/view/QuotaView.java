package io.millrace.quota.domain.view;

import io.millrace.decide.AssumedCluster;
import io.millrace.decide.ClusterView;
import io.millrace.decide.CommandView;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.policy.UserLock;
import io.millrace.quota.domain.budget.Budgets;
import io.millrace.quota.domain.priority.PriorityView;
import io.millrace.quota.domain.quota.ActiveQuotas;
import io.millrace.quota.domain.quota.CentreUsage;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * The input of a plan.
 *
 * @param observed the cluster's newest closed revision
 * @param assumed the same with pending commands counted as executed
 * @param commands results of earlier commands
 * @param requestedElsewhere_core_s core-seconds that each user's running jobs request on all other clusters
 * @param centre use on all clusters, for quotas of all clusters
 * @param budgets the budgets and what has been spent on all clusters
 * @param priority the input of priorities
 * @param suspendedVictims jobs that Millrace suspended for others
 * @param unplaced global jobs that are not yet placed, oldest first
 * @param locks the locked users
 */
public record QuotaView(
        ClusterView observed,
        AssumedCluster assumed,
        CommandView commands,
        ActiveQuotas quotas,
        ToLongFunction<UserName> requestedElsewhere_core_s,
        CentreUsage centre,
        Budgets budgets,
        PriorityView priority,
        Set<JobKey> suspendedVictims,
        Collection<UnplacedJob> unplaced,
        Map<UserName, UserLock> locks) {

    /**
     * A single cluster without budgets.
     *
     * @throws NullPointerException if no revision of the cluster was closed yet
     */
    public static QuotaView of(
            final ClusterView observed,
            final CommandView commands,
            final ActiveQuotas quotas,
            final ToLongFunction<UserName> requestedElsewhere_core_s) {
        return of(observed, commands, quotas, requestedElsewhere_core_s, new CentreUsage(), Budgets.none());
    }

    /** @throws NullPointerException if no revision of the cluster was closed yet */
    public static QuotaView of(
            final ClusterView observed,
            final CommandView commands,
            final ActiveQuotas quotas,
            final ToLongFunction<UserName> requestedElsewhere_core_s,
            final CentreUsage centre,
            final Budgets budgets) {
        return new QuotaView(
                observed,
                AssumedCluster.of(observed, commands),
                commands,
                quotas,
                requestedElsewhere_core_s,
                centre,
                budgets,
                PriorityView.NONE,
                Set.of(),
                List.of(),
                Map.of());
    }

    public QuotaView with(final PriorityView other) {
        return copy(other, suspendedVictims, unplaced, locks);
    }

    public QuotaView withSuspendedVictims(final Set<JobKey> jobs) {
        return copy(priority, Set.copyOf(jobs), unplaced, locks);
    }

    public QuotaView withUnplaced(final Collection<UnplacedJob> jobs) {
        return copy(priority, suspendedVictims, jobs, locks);
    }

    public QuotaView withLocks(final Map<UserName, UserLock> users) {
        return copy(priority, suspendedVictims, unplaced, Map.copyOf(users));
    }

    private QuotaView copy(
            final PriorityView priorities,
            final Set<JobKey> suspended,
            final Collection<UnplacedJob> submitted,
            final Map<UserName, UserLock> locked) {
        return new QuotaView(
                observed,
                assumed,
                commands,
                quotas,
                requestedElsewhere_core_s,
                centre,
                budgets,
                priorities,
                suspended,
                submitted,
                locked);
    }

    /** S-6: why no job of this user starts or continues; empty if the user is not locked. */
    public Optional<Veto> lockOf(final UserName user) {
        return Optional.ofNullable(locks.get(user)).map(lock -> VetoCode.USER_LOCKED.veto(lock.refusal()));
    }

    /** Cores of the cluster; 0 before its first revision. */
    public int totalCores() {
        final RevisionClosed marker = observed.marker();
        return marker == null ? 0 : marker.total().cores();
    }
}
