/**
 * The pure core of transfers: what is copied when, and what follows from each answer.
 *
 * <p>Decides: which planned transfer may begin (so many per pair of clusters and per receiving cluster), which is tried again, given
 * up, stopped. Reads: requests, transfers, commands and outcomes, the markers of cluster state. Announces: transfers, and the commands
 * copy-tree and stop-copy to the agent of the receiving cluster. No I/O, no clock: the instant comes as an argument.
 */
@NullMarked
package io.millrace.transfer.domain;

import org.jspecify.annotations.NullMarked;
