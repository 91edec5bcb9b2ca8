/**
 * An embedded workload manager: real processes on this machine within a set number of virtual nodes and cores.
 *
 * <p>It starts jobs on command under directed control and first come, first served under native control. Every job is a folder on disk;
 * every run is a session of its own under a small wrapper that enforces the walltime and records the end, so that running jobs
 * survive the agent's death and are neither lost nor repeated. Here this process is the workload manager itself.
 */
@NullMarked
package io.millrace.agent.local;

import org.jspecify.annotations.NullMarked;
