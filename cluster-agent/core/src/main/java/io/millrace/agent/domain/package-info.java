/**
 * What the agent decides, free of any workload manager and of the log: whether a command may be begun on the live cluster, what an
 * observation changes in what was said before, which runs have ended, and what became of a command that a crash interrupted.
 *
 * <p>Pure: no I/O, no clock, no chance.
 */
@NullMarked
package io.millrace.agent.domain;

import org.jspecify.annotations.NullMarked;
