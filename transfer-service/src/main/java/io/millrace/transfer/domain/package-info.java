/**
 * The pure core of transfers: the next step of every copy.
 *
 * <p>Decides which planned transfer starts (slots per pair of clusters and per receiving cluster), and which is retried, failed or
 * stopped. No I/O and no clock: the instant is an argument.
 */
@NullMarked
package io.millrace.transfer.domain;

import org.jspecify.annotations.NullMarked;
