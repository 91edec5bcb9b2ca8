/**
 * How LSF commands are run: the site, the detected version and its features, queries and commands with their environment and time limit,
 * retries, and the meaning of error messages.
 */
@NullMarked
package io.millrace.agent.lsf.command;

import org.jspecify.annotations.NullMarked;
