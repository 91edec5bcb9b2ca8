/**
 * {@code mgquota}, {@code mgbudget} and {@code mgusage}: quotas, what is left of budgets, the statement of a budget, and what users have consumed.
 */
@NullMarked
package io.millrace.cli.quota;

import org.jspecify.annotations.NullMarked;
