/**
 * Programs that outlive the agent: job scripts of the embedded cluster, make steps, copies.
 *
 * <p>Each runs in a session of its own under a small wrapper, which enforces its limit and leaves pid, start and end in a folder. The
 * agent finds them again by that folder after its own death: it neither loses nor repeats them.
 */
@NullMarked
package io.millrace.agent.session;

import org.jspecify.annotations.NullMarked;
