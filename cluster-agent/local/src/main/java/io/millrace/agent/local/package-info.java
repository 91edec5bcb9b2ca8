/**
 * An embedded workload manager that runs processes on this machine within a configured number of virtual nodes and cores.
 *
 * <p>Under directed control it starts jobs on command, under native control first come, first served. Each job is a directory on disk.
 * Each run is a session under a small wrapper that enforces the walltime and records the end, so running jobs survive a restart of the
 * agent and are neither lost nor executed twice.
 */
@NullMarked
package io.millrace.agent.local;

import org.jspecify.annotations.NullMarked;
