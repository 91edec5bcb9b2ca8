/**
 * The acceptance test of an installation: runs small jobs of one user in one queue, through the adapter and through an agent process, and
 * compares what the workload manager does with what Millrace relies on. It needs no Kafka broker.
 *
 * <p>{@link io.millrace.agent.acceptance.AdapterScenarios} are also the core of the contract tests of the adapters.
 */
@NullMarked
package io.millrace.agent.acceptance;

import org.jspecify.annotations.NullMarked;
