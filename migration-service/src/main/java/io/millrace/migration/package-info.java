/**
 * Where a global job runs, and its state from submission to its end.
 *
 * <p>Decides the target cluster, each next step (upload, make, submit, release, cancel, download), and the job's state. Reads
 * submissions, cluster state, commands and outcomes, ended runs, and transfers. Publishes global jobs, commands to the agents, transfer
 * requests, and plans that explain why a job waits. One instance is active; the others are on standby.
 */
@NullMarked
package io.millrace.migration;

import org.jspecify.annotations.NullMarked;
