package io.millrace.quota;

import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.PriorityRules;
import io.millrace.quota.domain.budget.Budgets;
import io.millrace.quota.domain.quota.ActiveQuotas;
import io.millrace.quota.domain.quota.CentreUsage;
import io.millrace.quota.domain.view.QuotaPolicy;
import java.util.Collection;

/**
 * The state of the whole centre at one decision.
 *
 * @param unplaced global jobs that are not yet placed
 * @param usage use of each user on each cluster
 */
record CentreSnapshot(
        ActiveQuotas quotas,
        PriorityRules priority,
        Collection<JobSubmitted> unplaced,
        CentreUsage usage,
        Budgets budgets,
        QuotaPolicy policy) {}
