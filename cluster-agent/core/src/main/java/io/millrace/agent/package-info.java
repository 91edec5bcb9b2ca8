/**
 * The agent of one cluster: the only hand on it.
 *
 * <p>Observes the workload manager and publishes what changed; reads the commands to its cluster, judges each on the live cluster, says
 * {@code Begun}, acts, and answers once; settles how runs ended; watches whether anybody still decides. Reads commands, outcomes, plans
 * and its own cluster state; announces cluster state, job ends and outcomes. One thread does all of that in order; what takes long
 * runs beside it.
 */
@NullMarked
package io.millrace.agent;

import org.jspecify.annotations.NullMarked;
