/**
 * Free cores, memory, GPUs and licences: now, and at every later time.
 *
 * <p>Decides whether and where a job fits, node by node where nodes are known.
 * Reads a {@link io.millrace.backfill.domain.capacity.QueueSnapshot}. Publishes nothing.
 */
@NullMarked
package io.millrace.backfill.domain.capacity;

import org.jspecify.annotations.NullMarked;
