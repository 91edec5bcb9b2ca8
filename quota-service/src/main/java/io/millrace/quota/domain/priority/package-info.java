/**
 * The priority of each waiting job: rules of {@code docs/guide/priority.md}.
 *
 * <p>Computes the terms of a priority and the partitions it opens, and answers requests for other weights.
 */
@NullMarked
package io.millrace.quota.domain.priority;

import org.jspecify.annotations.NullMarked;
