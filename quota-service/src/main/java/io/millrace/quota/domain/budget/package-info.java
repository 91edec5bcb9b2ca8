/**
 * What ended runs cost, and whether budgets leave room for the next one: the rules of {@code docs/guide/quota.md}.
 *
 * <p>Decides what a run is charged and refunded, and whether a waiting job fits into every budget it draws on. Reads ended runs, running
 * jobs and the sums of all clusters. Announces ledger entries and sums; holds nothing that the log does not have.
 */
@NullMarked
package io.millrace.quota.domain.budget;

import org.jspecify.annotations.NullMarked;
