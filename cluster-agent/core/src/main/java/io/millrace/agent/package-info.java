/**
 * The agent of one cluster. Only the agent changes anything on the cluster.
 *
 * <p>It observes the workload manager and publishes changes and ended runs; it validates, executes and answers commands; it switches control
 * if the deciders are inactive. It reads commands, outcomes, plans and its own cluster state, and publishes cluster state, job ends and
 * outcomes. One thread does all of that in order; commands that take long run in the background.
 */
@NullMarked
package io.millrace.agent;

import org.jspecify.annotations.NullMarked;
