/**
 * PBS Pro and today's OpenPBS (one code base, versions 14 to 23) behind the port.
 *
 * <p>Reads jobs, queues, nodes and the server by {@code qstat} and {@code pbsnodes} (JSON, or the long form where a version has none), ends
 * from PBS's history and its accounting log, whose hold it is from the resource {@code millrace} of each job, which its owner cannot
 * write. The gate of a directed cluster is {@code scheduling=False}. Says what this installation does not allow, and the line that grants it.
 */
@NullMarked
package io.millrace.agent.pbspro;

import org.jspecify.annotations.NullMarked;
