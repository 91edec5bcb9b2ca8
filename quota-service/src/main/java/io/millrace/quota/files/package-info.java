/**
 * Reads the files of the site: quotas and groups, budgets, priorities, preemption, limits of processor time.
 *
 * <p>A file with an error is rejected as a whole; the message names file, line, column, value and remedy.
 */
@NullMarked
package io.millrace.quota.files;

import org.jspecify.annotations.NullMarked;
