/**
 * What each user and project uses on a cluster, what its quotas guarantee, and the entitlement of each job (rules ).
 *
 * <p>An account collects the jobs that are counted together. Entitlements follow from the accounts, the budgets and the limits of
 * processor time.
 */
@NullMarked
package io.millrace.quota.domain.account;

import org.jspecify.annotations.NullMarked;
