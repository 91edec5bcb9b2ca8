/**
 * Programs that outlive the agent: job scripts of the embedded cluster, make steps, copies.
 *
 * <p>Each program runs in a separate process session under a small wrapper, which enforces the time limit and records process id, start and
 * end in a folder. After a crash the agent finds the sessions by their folders, so that no program is lost or started twice.
 */
@NullMarked
package io.millrace.agent.session;

import org.jspecify.annotations.NullMarked;
