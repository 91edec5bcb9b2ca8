/**
 * Plans one cluster: entitlements, priorities, reclaims.
 *
 * <p>Pure. Decides the entitlement of each job and the preemptions by the rules of {@code docs/guide/quota.md}, and the
 * priority of each waiting job by of {@code docs/guide/priority.md}. Reads the assumed cluster, the quotas in force and the
 * results of earlier commands. Returns entitlements, usage, commands, and a veto for each reclaim that is not possible.
 */
@NullMarked
package io.millrace.quota.domain;

import org.jspecify.annotations.NullMarked;
