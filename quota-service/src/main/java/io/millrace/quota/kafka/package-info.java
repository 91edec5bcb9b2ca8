/**
 * The Kafka side of quota-service.
 *
 * <p>Two deciding loops. One, per partition of clusters, reads their state, commands, results and all quotas, and writes entitlements,
 * usage and reclaims. The other answers requests and is the only writer of {@code millrace.quotas}.
 */
@NullMarked
package io.millrace.quota.kafka;

import org.jspecify.annotations.NullMarked;
