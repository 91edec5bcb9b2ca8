/**
 * The adapter for LSF 9 and 10 and OpenLava, which works through their commands. Each command line is a class with a pure {@code argv()}
 * and a pure {@code read(result)}. A snapshot queries {@code bjobs}, {@code bhosts} and {@code bqueues} once each; ended runs come from
 * {@code bhist} and {@code lsb.acct}. Under directed control the queues are inactive ({@link io.millrace.agent.lsf.observe.QueueGate}) and
 * {@code brun} starts jobs.
 */
@NullMarked
package io.millrace.agent.lsf;

import org.jspecify.annotations.NullMarked;
