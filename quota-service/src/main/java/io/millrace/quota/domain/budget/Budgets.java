package io.millrace.quota.domain.budget;

/**
 * The budgets and what has been spent.
 *
 * @param usage of all clusters
 */
public record Budgets(BudgetRules rules, BudgetUsage usage) {

    /** No budgets. */
    public static Budgets none() {
        return new Budgets(BudgetRules.NONE, new BudgetUsage(BudgetRules.NONE));
    }
}
