/**
 * What is copied between clusters, when, and how many at a time.
 *
 * <p>Decides: the order of copies, their number per pair of clusters and per receiver, repetition and surrender. Reads: requests for
 * transfers, commands and outcomes, the markers of cluster state. Announces: transfers and how far they are; copy-tree and stop-copy to
 * the agent of the receiving cluster, which copies as the owner of the files and verifies. One instance decides, others stand by.
 */
@NullMarked
package io.millrace.transfer;

import org.jspecify.annotations.NullMarked;
