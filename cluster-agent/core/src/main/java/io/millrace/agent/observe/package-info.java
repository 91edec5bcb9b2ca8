/**
 * Polls the workload manager and publishes what changed, how runs ended, and whether the workload manager answers.
 */
@NullMarked
package io.millrace.agent.observe;

import org.jspecify.annotations.NullMarked;
