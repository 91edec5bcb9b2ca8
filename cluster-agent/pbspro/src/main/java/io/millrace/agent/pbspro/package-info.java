/**
 * The adapter for PBS Pro and OpenPBS (one code base, versions 14 to 23).
 *
 * <p>Reads jobs, queues, nodes and the server by {@code qstat} and {@code pbsnodes} (JSON, or the full format in old versions), and
 * ended runs from the job history and the accounting log. The resource {@code millrace} of a job, which users cannot change, marks
 * Millrace's holds. A directed cluster has {@code scheduling=False}. Reports which capabilities the installation does not support,
 * and the command that enables each.
 */
@NullMarked
package io.millrace.agent.pbspro;

import org.jspecify.annotations.NullMarked;
