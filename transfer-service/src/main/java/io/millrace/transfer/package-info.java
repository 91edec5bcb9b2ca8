/**
 * The transfers between clusters: what is copied when, and how many copies run at a time.
 *
 * <p>Decides the order of copies, their number per pair of clusters and per receiver, retries and failure. Reads transfer requests,
 * commands and outcomes, and the revisions of clusters. Publishes transfers with their state, and the commands copy-tree and stop-copy
 * to the receiving agent, which copies as the owner of the files and verifies. One instance is active; the others are on standby.
 */
@NullMarked
package io.millrace.transfer;

import org.jspecify.annotations.NullMarked;
