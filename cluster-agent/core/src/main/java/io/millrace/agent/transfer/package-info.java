/**
 * Bringing directory trees to this cluster.
 *
 * <p>{@link io.millrace.agent.transfer.TreeCopies} carries out a copy with the rights of the files' owner: rsync, then a comparison of
 * every byte on both sides, then a digest of what arrived. What is copied, when and how many at a time, transfer-service decides; here
 * nothing is counted as arrived before both sides agree (promise 7), and nothing that lies at the destination is ever deleted. No shell
 * and no ssh ever interprets a name: they travel as arguments, in rsync's own protocol, or as bytes between programs.
 */
@NullMarked
package io.millrace.agent.transfer;

import org.jspecify.annotations.NullMarked;
