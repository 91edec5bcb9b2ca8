/**
 * backfill-service's connection to Kafka.
 *
 * <p>One deciding loop per partition of clusters. Reads their state, commands, answers, entitlements and its own plans. Publishes commands,
 * plans, and a marker for every planned revision.
 */
@NullMarked
package io.millrace.backfill.kafka;

import org.jspecify.annotations.NullMarked;
