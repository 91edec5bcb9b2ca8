/**
 * Commands to agents: actions, preconditions and results.
 *
 * <p>Quota, backfill, migration and transfer issue commands on {@code millrace.commands}. The agent of the cluster checks the preconditions
 * against the live workload manager, publishes {@code Begun} before it acts, and answers once on
 * {@code millrace.outcomes}. A refusal is normal and leads to a new plan.
 */
@NullMarked
package io.millrace.model.command;

import org.jspecify.annotations.NullMarked;
