/**
 * Copies directory trees to this cluster.
 *
 * <p>{@link io.millrace.agent.transfer.TreeCopies} executes a copy with the rights of the files' owner: rsync, then a comparison of every
 * byte on both sides, then a digest of the copied files. transfer-service decides what is copied, when, and how many copies run at a time.
 * A copy succeeds only if both sides are equal (promise 7), and existing files at the destination are never deleted. Results never replace
 * a file that its user or another job has changed since the job was placed: both are kept. No shell and no ssh interprets a file name: names are passed as arguments, in rsync's protocol, or as bytes between programs.
 */
@NullMarked
package io.millrace.agent.transfer;

import org.jspecify.annotations.NullMarked;
