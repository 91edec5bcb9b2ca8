/**
 * What every decider shares: views folded from the log (a cluster at its newest closed revision, its open commands), free capacity, the
 * eligibility of a job on a cluster, and what has been published.
 *
 * <p>Folding is idempotent: a record handled twice is handled once. Not thread-safe: one deciding loop owns one view.
 */
@NullMarked
package io.millrace.decide;

import org.jspecify.annotations.NullMarked;
