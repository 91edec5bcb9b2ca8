/**
 * Commands that change jobs of a Torque server: {@code qsub}, {@code qhold}, {@code qrls}, {@code qrun}, {@code qmove}, {@code qrerun},
 * {@code qsig}, {@code qalter}, {@code qdel}, {@code qmgr}.
 *
 * <p>Each command first looks up the job and returns an error if its state does not allow the command. Decides which hosts a start uses,
 * and how holds and marks are combined so that an interrupted command leaves no misleading hold.
 */
@NullMarked
package io.millrace.agent.torque.command;

import org.jspecify.annotations.NullMarked;
