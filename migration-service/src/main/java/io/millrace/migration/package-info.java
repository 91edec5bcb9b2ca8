/**
 * Where a global job runs, and its life from submission to its end.
 *
 * <p>Decides: the target cluster, each next step (upload, make, submit, release, cancel, download), and the job's state. Reads:
 * submissions, cluster state, commands and outcomes, ends of runs, transfers. Announces: global jobs, commands to the agents, requests
 * for transfers, and plans that say why a job is not further. One instance decides, others stand by.
 */
@NullMarked
package io.millrace.migration;

import org.jspecify.annotations.NullMarked;
