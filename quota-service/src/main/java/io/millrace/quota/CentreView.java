package io.millrace.quota;

import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.PriorityRules;
import io.millrace.quota.domain.CentreUse;
import io.millrace.quota.domain.QuotaBook;
import io.millrace.quota.domain.QuotaPolicy;
import io.millrace.quota.domain.budget.Budgets;
import java.util.Collection;

/**
 * What holds for all clusters at one decision.
 *
 * @param unplaced global jobs for which no cluster is chosen yet
 * @param use of everybody on every cluster
 */
record CentreView(
        QuotaBook quotas,
        PriorityRules priority,
        Collection<JobSubmitted> unplaced,
        CentreUse use,
        Budgets budgets,
        QuotaPolicy policy) {}
