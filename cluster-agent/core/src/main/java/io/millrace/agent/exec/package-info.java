/**
 * Runs command lines, on this host or through ssh, with the rights of the agent or of a user.
 *
 * <p>A {@link io.millrace.agent.exec.CommandLine} is pure: it gives the arguments and parses the output. Time limits, output limits,
 * environment and user switching are handled by the {@link io.millrace.agent.exec.Runner}.
 */
@NullMarked
package io.millrace.agent.exec;

import org.jspecify.annotations.NullMarked;
