/**
 * Processes the commands of the deciding services on this cluster; what an action is and does is in {@code agent.action}.
 *
 * <p>Each command is validated against the live workload manager and then executed exactly once: {@code Begun} is committed before the
 * first effect, the result after it. Commands that take long run in the background; commands that a crash interrupted are examined, not
 * repeated.
 */
@NullMarked
package io.millrace.agent.command;

import org.jspecify.annotations.NullMarked;
