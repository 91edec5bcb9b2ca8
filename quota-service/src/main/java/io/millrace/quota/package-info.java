/**
 * quota-service: who may use how much of each cluster.
 *
 * <p>Decides the right of every job, and by one reclaim at a time who gives way to whom. Reads clusters, commands and their answers,
 * quotas and what it is asked to change. Announces entitlements, usage, reclaims, quotas, and why a reclaim was not possible.
 */
@NullMarked
package io.millrace.quota;

import org.jspecify.annotations.NullMarked;
