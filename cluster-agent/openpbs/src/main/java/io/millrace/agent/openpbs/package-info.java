/**
 * The adapter for OpenPBS 2.3 and Torque (2.x to 6.x).
 *
 * <p>Each command is one class, with a pure {@code argv()} and a pure {@code read(result)}. One observation runs {@code qstat}
 * (jobs, queues, server) and {@code pbsnodes} once each, in XML if the version supports it, otherwise in plain text. Commands are
 * {@code qsub}, {@code qalter}, {@code qhold}, {@code qrls}, {@code qrun}, {@code qrerun}, {@code qsig}, {@code qdel} and
 * {@code qmgr}. A job's comment, which only operators can write, marks Millrace's holds
 * ({@link io.millrace.agent.openpbs.HoldMark}). The server's accounting log reports how runs ended.
 */
@NullMarked
package io.millrace.agent.openpbs;

import org.jspecify.annotations.NullMarked;
