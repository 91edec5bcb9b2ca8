/**
 * The actions of the protocol, as the agent executes them: one class for each, with the issuers that may send it, the capabilities it needs, its
 * preconditions, its expected effect, its execution, and how its effect is found out after a crash.
 *
 * <p>A new action is its record in {@code io.millrace.model.command.Action}, one class here, and its line in {@link
 * io.millrace.agent.action.AgentAction#of}. What only reads a command or the live cluster does no I/O; only {@code execute}, {@code run} and {@code
 * recover} change or query the cluster.
 */
@NullMarked
package io.millrace.agent.action;

import org.jspecify.annotations.NullMarked;
