/**
 * Use cases of quotas, priorities and charged usage.
 *
 * <p>Decides: whether a requested change is valid and based on the current version. Publishes: requested changes on
 * {@code millrace.requests}.
 */
@NullMarked
package io.millrace.submit.policy;

import org.jspecify.annotations.NullMarked;
