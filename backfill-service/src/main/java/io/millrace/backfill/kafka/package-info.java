/**
 * backfill-service on the log.
 *
 * <p>One deciding loop per partition of clusters: reads their state, commands, answers, entitlements and its own plans; says starts,
 * plans, and for every revision that it has been looked at.
 */
@NullMarked
package io.millrace.backfill.kafka;

import org.jspecify.annotations.NullMarked;
