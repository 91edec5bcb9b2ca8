/**
 * Queries of a PBS server and the observation built from them.
 *
 * <p>Reads jobs, queues, nodes and the server by {@code qstat} and {@code pbsnodes} (JSON, or the full format in old versions), and
 * settings by {@code qmgr}. Determines job states and which holds are Millrace's: the resource {@code millrace} of a job, which users
 * cannot change, marks them. A directed cluster has {@code scheduling=False}.
 */
@NullMarked
package io.millrace.agent.pbspro.query;

import org.jspecify.annotations.NullMarked;
