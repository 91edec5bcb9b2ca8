/**
 * What agents are told to do, under which conditions, and what became of it.
 *
 * <p>Commands are decided by quota, backfill, migration and transfer and stand on {@code millrace.commands}; the agent of the
 * cluster checks the preconditions against the live workload manager, says {@code Begun} before it acts, and answers once on
 * {@code millrace.outcomes}. A refusal is normal and leads to a new plan.
 */
@NullMarked
package io.millrace.model.command;

import org.jspecify.annotations.NullMarked;
