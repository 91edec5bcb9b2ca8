/**
 * Charges and budgets: the rules of {@code docs/guide/quota.md}.
 *
 * <p>Decides the charge and refund of an ended run, and whether a waiting job fits within all budgets that it draws on. Reads ended runs,
 * running jobs and the sums of all clusters. Returns ledger entries and sums; all state can be rebuilt from the log.
 */
@NullMarked
package io.millrace.quota.domain.budget;

import org.jspecify.annotations.NullMarked;
