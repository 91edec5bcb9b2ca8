package io.millrace.quota;

import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.PriorityRules;
import io.millrace.quota.domain.budget.Budgets;
import io.millrace.quota.domain.quota.ActiveQuotas;
import io.millrace.quota.domain.quota.CentreUsage;
import io.millrace.quota.domain.view.QuotaPolicy;
import java.util.Collection;

/**
 * What holds for all clusters at one decision.
 *
 * @param unplaced global jobs for which no cluster is chosen yet
 * @param usage of everybody on every cluster
 */
record CentreSnapshot(
        ActiveQuotas quotas,
        PriorityRules priority,
        Collection<JobSubmitted> unplaced,
        CentreUsage usage,
        Budgets budgets,
        QuotaPolicy policy) {}
