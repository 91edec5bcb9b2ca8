/**
 * quota-service on the log.
 *
 * <p>Two deciding loops: one per partition of clusters, which reads their state, commands, answers and all quotas and says rights,
 * usage and reclaims; and one that answers requests for quotas, as the one writer of {@code millrace.quotas}.
 */
@NullMarked
package io.millrace.quota.kafka;

import org.jspecify.annotations.NullMarked;
