/**
 * How the agent finds and opens the adapter of a workload manager.
 */
@NullMarked
package io.millrace.agent.wlm.provider;

import org.jspecify.annotations.NullMarked;
