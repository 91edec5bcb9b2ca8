/**
 * Jobs as the planner sees them: waiting, running or ineligible, with run time estimates and orders.
 *
 * <p>Decides in which order jobs wait and how long each is expected to run.
 * Reads the run time history. Publishes nothing: the other packages plan with these values.
 */
@NullMarked
package io.millrace.backfill.domain.job;

import org.jspecify.annotations.NullMarked;
