/**
 * Planning of a live cluster from its observed jobs, nodes and partitions.
 *
 * <p>Decides which jobs are eligible and which parts of the plan must be computed again.
 * Reads cluster state, entitlements and answers to commands. Publishes start and checkpoint or requeue commands, and plans.
 */
@NullMarked
package io.millrace.backfill.domain.live;

import org.jspecify.annotations.NullMarked;
