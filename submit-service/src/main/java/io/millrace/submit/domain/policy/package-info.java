/**
 * Quotas and priority rules as users see them, and the preview of other priority rules. Pure.
 *
 * <p>Decides: how waiting jobs rank, now and under other rules, and which partitions a priority opens.
 */
@NullMarked
package io.millrace.submit.domain.policy;

import org.jspecify.annotations.NullMarked;
