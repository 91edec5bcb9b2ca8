package io.millrace.quota.domain.priority;

import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityTerm;
import io.millrace.model.policy.WeightedTerm;
import io.millrace.quota.domain.account.AccountJob;
import io.millrace.quota.domain.account.PlannedEntitlement;
import io.millrace.quota.domain.account.QuotaAccount;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * The priority of each waiting job. Q-60: a sum of terms, each a factor in whole percent times a weight; a term with factor 0 is left
 * out. With whole percents, the entitlements do not change at every revision as time passes.
 */
public final class JobPriorities {

    /** the priority of a job that comes last because its budget is used up. */
    public static final long LAST = -1_000_000;

    /** users with no quota or a small one are measured against a hundredth of the cluster. */
    private static final int SHARES = 100;

    private final PriorityView view;
    private final ToIntFunction<JobObserved> budgetLeft_percent;
    private final OverflowPartitions reachable;
    private final int totalCores;
    private final DecayedUsage used;
    private final Instant now;
    private final Map<UserName, Integer> useOfOwner = new HashMap<>();
    private final Map<QuotaAccount, Integer> use = new HashMap<>();

    /**
     * @param budgetLeft_percent what is left of the budgets of a job, 0 to 100
     */
    public JobPriorities(
            final PriorityView view,
            final ToIntFunction<JobObserved> budgetLeft_percent,
            final OverflowPartitions reachable,
            final DecayedUsage used,
            final int totalCores,
            final Instant now) {
        this.view = view;
        this.budgetLeft_percent = budgetLeft_percent;
        this.reachable = reachable;
        this.used = used;
        this.totalCores = totalCores;
        this.now = now;
    }

    /** Sets priority and other partitions of each waiting job. A job that is last because of its budget stays last. */
    public void assign(final Iterable<AccountJob> waiting) {
        for (final AccountJob queued : waiting) {
            final PlannedEntitlement right = queued.entitlement();
            if (right.priority() != LAST) {
                final List<WeightedTerm> terms = terms(queued, right.level());
                long priority = 0;
                for (final WeightedTerm term : terms) {
                    priority += term.points();
                }
                queued.entitle(right.weighed(priority, terms, reachable.openTo(queued.job(), right.level(), priority)));
            }
        }
    }

    private List<WeightedTerm> terms(final AccountJob queued, final EntitlementLevel right) {
        final List<WeightedTerm> terms = new ArrayList<>(4);
        for (final PriorityTerm term : PriorityTerm.values()) {
            final int factor_percent = factor_percent(term, queued, right);
            if (factor_percent > 0) {
                terms.add(new WeightedTerm(term, factor_percent, view.rules().weight(term)));
            }
        }
        return terms;
    }

    /** in whole percent. */
    private int factor_percent(final PriorityTerm term, final AccountJob queued, final EntitlementLevel right) {
        final JobObserved job = queued.job();
        final PriorityRules rules = view.rules();
        return switch (term) {
            case ENTITLEMENT -> right == EntitlementLevel.GUARANTEED ? 100 : 0;
            case AGE -> rules.age_percent(Duration.between(job.job().submittedAt(), now));
            case SIZE -> share_percent(job.resources().cores(), totalCores);
            case USE -> use.computeIfAbsent(queued.account(), this::use_percent);
            case CLASS ->
                rules.classFactorsPercent().isEmpty()
                        ? 0
                        : rules.class_percent(view.classes().apply(job.job()));
            case URGENCY -> rules.urgency_percent(job.detail().qos());
            case PROJECT -> rules.project_percent(job.project());
            case BUDGET -> budgetLeft_percent.applyAsInt(job);
        };
    }

    private static int share_percent(final long part, final long whole) {
        return whole <= 0 ? 0 : (int) Math.min(100, 100 * part / whole);
    }

    /** The first account of an owner counts. */
    private int use_percent(final QuotaAccount account) {
        return useOfOwner.computeIfAbsent(account.owner(), owner -> use_percent(owner, account.quota()));
    }

    /** 100 for no use, 50 if the user always uses the quota, 25 if the user always uses twice the quota. */
    private int use_percent(final UserName owner, final int quota) {
        final double share = Math.max(1, Math.max(quota, totalCores / (double) SHARES));
        final double cores = used.cores(view.before().get(owner));
        return (int) Math.round(100 * Math.pow(2, -cores / share));
    }
}
