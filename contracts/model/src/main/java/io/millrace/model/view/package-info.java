/**
 * Views folded from the log that every decider shares: a cluster at its newest closed revision, and its open commands.
 *
 * <p>Folding is idempotent: a record handled twice is handled once. Not thread-safe: one deciding loop owns one view.
 */
@NullMarked
package io.millrace.model.view;

import org.jspecify.annotations.NullMarked;
