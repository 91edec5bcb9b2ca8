/**
 * backfill-service: decides which jobs start on the clusters that Millrace directs.
 *
 * <p>Reads cluster state, commands with their answers, entitlements, job classes and ended runs. Publishes start, checkpoint and requeue
 * commands, a plan for every waiting job that is not held by its submission (place, predicted start, reason), and a marker for every planned
 * revision.
 */
@NullMarked
package io.millrace.backfill;

import org.jspecify.annotations.NullMarked;
