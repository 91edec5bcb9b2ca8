/**
 * quota-service: entitlements, reclaims, budgets and priorities of each cluster.
 *
 * <p>Decides the entitlement level of each job and which jobs are preempted, and answers requests for quotas and priority rules. Reads
 * clusters, commands and their results, quotas and requests. Publishes entitlements, usage, reclaims, quotas, ledger entries, and why a
 * reclaim is not possible.
 */
@NullMarked
package io.millrace.quota;

import org.jspecify.annotations.NullMarked;
