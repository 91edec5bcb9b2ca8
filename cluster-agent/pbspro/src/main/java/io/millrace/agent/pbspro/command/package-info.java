/**
 * Commands that change jobs and limits of a PBS server: {@code qsub}, {@code qhold}, {@code qrls}, {@code qrun}, {@code qmove},
 * {@code qrerun}, {@code qsig}, {@code qalter}, {@code qdel}, {@code qmgr}.
 *
 * <p>Each command first looks up the job and returns an error if its state does not allow the command. Decides how holds and marks are
 * combined so that an interrupted command leaves no misleading hold.
 */
@NullMarked
package io.millrace.agent.pbspro.command;

import org.jspecify.annotations.NullMarked;
