/**
 * The adapter for LSF 9 and 10 and for the open work-alike that has LSF's commands (OpenLava), through those commands.
 *
 * <p>One class per command line, with a pure {@code argv()} and a pure {@code read(result)}. {@link io.millrace.agent.lsf.Lsf} asks {@code
 * bjobs}, {@code bhosts} and {@code bqueues}, each once per picture; how runs ended it reads from {@code bhist}, {@code bacct} and the
 * accounting file. Neither product keeps a note at a job that its owner cannot change: whose hold it is stands in files of the agent
 * ({@link io.millrace.agent.lsf.JobNotes}). The gate of a directed cluster is that its queues are inactive ({@link
 * io.millrace.agent.lsf.QueueGate}); {@code brun} starts jobs past it.
 */
@NullMarked
package io.millrace.agent.lsf;

import org.jspecify.annotations.NullMarked;
