/**
 * What the log says about a live cluster, folded per event: the role of each job, what is free, and what earlier plans promise.
 *
 * <p>Decides nothing but which jobs are eligible.
 * Reads cluster state, commands with their answers, entitlements, classes and the service's own plans. Publishes nothing.
 */
@NullMarked
package io.millrace.backfill.domain.view;

import org.jspecify.annotations.NullMarked;
