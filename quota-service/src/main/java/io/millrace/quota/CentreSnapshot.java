package io.millrace.quota;

import io.millrace.model.UserName;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.UserLock;
import io.millrace.quota.domain.budget.Budgets;
import io.millrace.quota.domain.quota.ActiveQuotas;
import io.millrace.quota.domain.quota.CentreUsage;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.domain.view.UnplacedJob;
import java.util.Collection;
import java.util.Map;

/**
 * The state of the whole centre at one decision.
 *
 * @param unplaced global jobs that are not yet placed, oldest first
 * @param usage use of each user on each cluster
 * @param locks the locked users
 */
record CentreSnapshot(
        ActiveQuotas quotas,
        PriorityRules priority,
        Collection<UnplacedJob> unplaced,
        CentreUsage usage,
        Budgets budgets,
        QuotaPolicy policy,
        Map<UserName, UserLock> locks) {}
