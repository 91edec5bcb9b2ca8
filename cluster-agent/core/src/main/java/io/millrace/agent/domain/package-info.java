/**
 * Decisions of the agent, independent of workload manager and Kafka: what a command requires of the cluster, what changed between two
 * observations, which runs have ended, and what effect an interrupted command had.
 *
 * <p>Pure: no I/O, no clock, no randomness.
 */
@NullMarked
package io.millrace.agent.domain;

import org.jspecify.annotations.NullMarked;
