/**
 * Quotas and what is charged to them: guaranteed cores and budgets of users, projects and groups, current use, and the ledger of ended runs.
 *
 * <p>Only quota-service writes them.
 */
@NullMarked
package io.millrace.model.quota;

import org.jspecify.annotations.NullMarked;
