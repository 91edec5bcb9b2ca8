/**
 * What starts when: the pure core.
 *
 * <p>Decides which waiting jobs start now, and what is reserved for the first that cannot. Reads a queue in the form of
 * {@link io.millrace.backfill.domain.QueueView}, which a live cluster and the simulator both fill. Announces starts, the reservation,
 * and for every job that waits why it does and when it should start. Times inside are whole seconds since the epoch.
 */
@NullMarked
package io.millrace.backfill.domain;

import org.jspecify.annotations.NullMarked;
