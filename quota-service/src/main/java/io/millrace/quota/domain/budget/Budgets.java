package io.millrace.quota.domain.budget;

/**
 * What budgets rest on.
 *
 * @param usage of all clusters, this one's included
 */
public record Budgets(BudgetRules rules, BudgetUsage usage) {

    /** Nobody has one. */
    public static Budgets none() {
        return new Budgets(BudgetRules.NONE, new BudgetUsage(BudgetRules.NONE));
    }
}
